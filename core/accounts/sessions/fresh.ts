import { CoreError } from '../../errors.ts';
import type { Account } from '../account.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { type Method, type Session, timeSince } from '../session.ts';

const SECOND_FACTORS: readonly Method[] = ['totp', 'recovery', 'passkey'];

/**
 * Whether the session's owner proved who they are lately, by a second factor, too, where one is on. A time ahead of
 * ours by more than clocks differ is not fresh.
 */
const isFresh = (session: Session, account: Account, freshFor: number, now: number): boolean =>
  timeSince(session.authenticatedAt, now) <= freshFor &&
  (account.twoFactor === null || session.methods.some((method) => SECOND_FACTORS.includes(method)));

/** What the account can prove its owner by. */
const methodsOf = ({ passwordHash, twoFactor }: Account): readonly Method[] => [
  ...(passwordHash === null ? [] : (['password'] as const)),
  ...(twoFactor === null ? [] : (['totp', 'recovery'] as const)),
];

const freshAuthenticationNeeded = (account: Account, freshFor: number) =>
  new CoreError('forbidden', 'fresh_authentication_needed', 'Prove once more who you are, then try again.', {
    details: { maxAge: Math.floor(freshFor / 1000), methods: methodsOf(account) },
  });

/**
 * Lets only a session through whose owner proved who they are lately. Throws `forbidden`
 * (`fresh_authentication_needed`) with `maxAge` in seconds and `methods`, as RFC 9470 asks for.
 */
export const makeNeedFresh =
  ({ clock, log, policy, sessions }: Pick<Kit, 'clock' | 'log' | 'policy' | 'sessions'>) =>
  async ({ account, session }: Identity, caller: Caller): Promise<void> => {
    const isGood = (one: Session) => isFresh(one, account, policy.freshFor, clock.now());
    if (isGood(session)) return;
    // What came with the request may be a second old, and the proof newer than that.
    const newest = await sessions.find(account.id, session.id);
    if (newest !== undefined && isGood(newest)) return;
    const reason = 'fresh_authentication_needed';
    log.info('access.refused', { userId: account.id, reason, ...calledFrom(caller) });
    throw freshAuthenticationNeeded(account, policy.freshFor);
  };
