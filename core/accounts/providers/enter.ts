import type { Account } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { rememberAddress } from '../guess-keys.ts';
import { type KeyOwner, makeLoginKeys, namedKey, withKey } from '../keys/login-keys.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import type { Method } from '../session.ts';
import { type LetIn, type LoginAnswer, makeLetIn } from '../sessions/open-session.ts';
import { type LoginChallenge, makeChallenge } from '../sessions/pending-login.ts';
import { asProviderSays } from '../trips/identities.ts';
import type { PresentedTrip } from '../trips/take.ts';

const METHODS: readonly Method[] = ['oidc'];

/** What became of a sign-in with an identity that opens an account; null when it opens it no more. */
export type Entered = LoginAnswer | LoginChallenge | null;

/**
 * Lets the owner of an identity into the account that it opens, whatever emails say. A second factor is asked for as
 * after a password: what the provider asked for counts for nothing. The session is written together with the code
 * being spent, and goes again where another call was faster.
 */
export const makeEnter = (kit: Kit) => {
  const { accounts, change, clock, digest, policy } = kit;
  const keys = makeLoginKeys(kit);
  const letIn = makeLetIn(kit);
  const challenge = makeChallenge(kit);

  return async (owner: KeyOwner, { trip, take }: PresentedTrip, caller: Caller): Promise<Entered> => {
    const { key } = owner;
    const { identity } = trip;
    /** The account as it is to be, with a claim that a crash cut in half made good. */
    const opened = async (account: Account): Promise<Account> => {
      const found = account === owner.account ? owner : await keys.find(key);
      const followed = asProviderSays(account, key, identity);
      if (found?.claimed === true) return followed;
      await take();
      return withKey(followed, await keys.claim(account, key));
    };

    return change<Entered>(
      () => accounts.find(owner.account.id),
      async (account): Promise<Decision<Entered>> => {
        if (account === undefined || account.deletedAt !== null || namedKey(account, key) === undefined)
          return { next: null, answer: null };
        const now = clock.now();
        const owned = await opened(account);
        if (owned.twoFactor !== null) {
          await take();
          return {
            next: owned === account ? null : owned,
            answer: challenge(owned, { method: 'oidc', key }),
          };
        }
        const next = rememberAddress(digest, policy, owned, caller.client, now);
        const decision: Decision<LetIn> = {
          next: next === account ? null : next,
          answer: { account: next, methods: METHODS },
        };
        const begun = await letIn(decision, caller, take);
        await take().catch(async (error: unknown) => {
          await begun.undo?.().catch(begun.undo);
          throw error;
        });
        return 'refuse' in begun ? begun : { ...begun, answer: begun.answer.answer };
      },
      owner.account,
    );
  };
};
