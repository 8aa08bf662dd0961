import { CoreError } from '../../errors.ts';
import type { Account } from '../account.ts';
import type { Identity } from '../identity.ts';
import { signInMethods, type WaysIn } from '../keys/sign-in-methods.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { type Method, type Proof, timeSince } from '../session.ts';
import { secondFactors } from './pending-login.ts';

const SECOND_FACTORS: readonly Method[] = ['totp', 'recovery', 'passkey'];

/**
 * Whether the session's owner proved who they are lately, by a second factor, too, where one is on. A time ahead of
 * ours by more than clocks differ is not fresh.
 */
const isFresh = (proof: Proof, account: Account, freshFor: number, now: number): boolean =>
  timeSince(proof.authenticatedAt, now) <= freshFor &&
  (account.twoFactor === null || proof.methods.some((method) => SECOND_FACTORS.includes(method)));

/** By what the user can prove who they are. */
const methodsOf = (ways: WaysIn, account: Account): readonly Method[] => [
  ...new Set([...signInMethods(ways, account), ...secondFactors(ways, account)]),
];

const freshAuthenticationNeeded = (methods: readonly Method[], freshFor: number) =>
  new CoreError('forbidden', 'fresh_authentication_needed', 'Prove once more who you are, then try again.', {
    details: { maxAge: Math.floor(freshFor / 1000), methods },
  });

/**
 * Lets only a session through whose owner proved who they are lately. Throws `forbidden`
 * (`fresh_authentication_needed`) with `maxAge` in seconds and `methods`, as RFC 9470 asks for.
 * See decision 0012.
 */
export const makeNeedFresh =
  (kit: WaysIn & Pick<Kit, 'accounts' | 'clock' | 'log' | 'policy' | 'sessions'>) =>
  async ({ user, session }: Identity, caller: Caller): Promise<void> => {
    const { accounts, clock, log, policy, sessions } = kit;
    // What came with the request may be a second old: a proof, or a second factor, may be newer than that.
    const [account, newest] = await Promise.all([accounts.find(user.id), sessions.find(user.id, session.id)]);
    const isKnown = account !== undefined && newest !== undefined;
    if (isKnown && isFresh(newest, account, policy.freshFor, clock.now())) return;
    const reason = 'fresh_authentication_needed';
    log.info('access.refused', { userId: user.id, reason, ...calledFrom(caller) });
    throw freshAuthenticationNeeded(account === undefined ? [] : methodsOf(kit, account), policy.freshFor);
  };
