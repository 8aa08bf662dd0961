import { CoreError } from '../../errors.ts';
import type { Account } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import { type Method, type Proof, timeSince } from '../session.ts';
import { type CredentialSettings, SECOND_FACTORS, secondFactors, signInMethods } from '../sign-in-methods.ts';

/** Whether the session's owner was authenticated lately, with a second factor where that is needed. */
const isFresh = (proof: Proof, requiresFactor: boolean, freshForMs: number, now: number): boolean =>
  timeSince(proof.authenticatedAt, now) <= freshForMs &&
  (!requiresFactor || SECOND_FACTORS.some((factor) => proof.methods.includes(factor)));

/** The methods by which the user can be authenticated again. */
const methodsOf = (settings: CredentialSettings, account: Account): readonly Method[] => [
  ...new Set([...signInMethods(settings, account), ...secondFactors(settings, account)]),
];

/**
 * Checks that the session's owner was authenticated lately. Throws `forbidden` (`fresh_authentication_needed`) with
 * `maxAge` in seconds and `methods`, as RFC 9470 requires. A second factor is required where the account has one, and
 * with `requiresFactorOfAll` of every account. See decision 0012.
 */
export const requireFresh = async (
  deps: CredentialSettings & Pick<Deps, 'accounts' | 'clock' | 'log' | 'policy' | 'sessions'>,
  { user, session }: Principal,
  caller: Caller,
  requiresFactorOfAll = false,
): Promise<void> => {
  const { accounts, clock, log, policy, sessions } = deps;
  // The principal may be a second old: a proof or a second factor may be newer.
  const [account, storedSession] = await Promise.all([
    accounts.find(user.id),
    sessions.find(user.id, session.id),
  ]);
  if (account !== undefined && storedSession !== undefined) {
    const requiresFactor = requiresFactorOfAll || account.twoFactor !== null;
    if (isFresh(storedSession, requiresFactor, policy.freshForMs, clock.now())) return;
  }
  const reason = 'fresh_authentication_needed';
  log.info('access.refused', { userId: user.id, reason, ...calledFrom(caller) });
  const methods = account === undefined ? [] : methodsOf(deps, account);
  // A proof at the console accepts no recovery code.
  const accepted = session.kind === 'console' ? methods.filter((method) => method !== 'recovery') : methods;
  throw new CoreError('forbidden', reason, 'Confirm that it is you, then try again.', {
    details: { maxAge: Math.floor(policy.freshForMs / 1000), methods: accepted },
  });
};
