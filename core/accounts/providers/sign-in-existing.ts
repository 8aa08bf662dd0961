import type { Account } from '../account.ts';
import type { Caller } from '../base-deps.ts';
import type { Decision } from '../change-account.ts';
import { type KeyOwner, makeLoginKeys, namedKey, withKey } from '../claim-login-keys.ts';
import type { Deps } from '../deps.ts';
import { rememberAddress } from '../known-address.ts';
import { makeChallenge, type SignInChallenge } from '../second-factor/pending-sign-in.ts';
import type { Method } from '../session.ts';
import { makeOpenSession, type SessionRequest, type SignInResult } from '../sessions/open-session.ts';
import { asProviderSays } from './identities.ts';
import type { PresentedFlow } from './redeem-flow-code.ts';

const METHODS: readonly Method[] = ['oidc'];

/** Null if the identity does not open the account any more. */
export type ExistingSignInResult = SignInResult | SignInChallenge | null;

/**
 * Signs the owner of an identity in to the account that it opens, whatever email the provider reports. A second factor
 * is required as after a password, since it is unknown which factors the provider has checked. The session is written
 * together with the redemption of the code, and removed again if another call redeemed the code first.
 */
export const makeSignInExisting = (deps: Deps) => {
  const { accounts, change, clock, digest, policy } = deps;
  const keys = makeLoginKeys(deps);
  const openSession = makeOpenSession(deps);
  const challenge = makeChallenge(deps);

  return async (
    owner: KeyOwner,
    { flow, redeem }: PresentedFlow,
    caller: Caller,
  ): Promise<ExistingSignInResult> => {
    const { key } = owner;
    const { identity } = flow;
    /** The account with what the provider reports, and with the claim of its login key completed after a crash. */
    const updated = async (account: Account): Promise<Account> => {
      const current = account === owner.account ? owner : await keys.find(key);
      const reported = asProviderSays(account, key, identity);
      if (current?.claimed === true) return reported;
      await redeem();
      return withKey(reported, await keys.claim(account, key));
    };

    return change<ExistingSignInResult>(
      () => accounts.find(owner.account.id),
      async (account): Promise<Decision<ExistingSignInResult>> => {
        if (account === undefined || account.deletedAt !== null || namedKey(account, key) === undefined)
          return { next: null, answer: null };
        const now = clock.now();
        const owned = await updated(account);
        if (owned.twoFactor !== null) {
          await redeem();
          return {
            next: owned === account ? null : owned,
            answer: challenge(owned, { method: 'oidc', key }),
          };
        }
        const next = rememberAddress(digest, policy, owned, caller.client, now);
        const decision: Decision<SessionRequest> = {
          next: next === account ? null : next,
          answer: { account: next, methods: METHODS },
        };
        const session = await openSession(decision, caller, redeem);
        await redeem().catch(async (error: unknown) => {
          await session.undo?.().catch(session.undo);
          throw error;
        });
        return 'refuse' in session ? session : { ...session, answer: session.answer.answer };
      },
      owner.account,
    );
  };
};
