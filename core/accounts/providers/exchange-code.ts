import { CoreError, unavailable } from '../../errors.ts';
import { union } from '../../schema.ts';
import { type Account, exists } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import { type Decision, undoWithRetry } from '../change-account.ts';
import { type KeyOwner, loginKeyClaim, withKey } from '../claim-login-keys.ts';
import type { Deps } from '../deps.ts';
import { rememberAddress } from '../known-address.ts';
import { identityKey } from '../login-key.ts';
import {
  newSignInChallenge,
  type SignInChallenge,
  signInChallenge,
} from '../second-factor/pending-sign-in.ts';
import type { Method } from '../session.ts';
import {
  openSession,
  type SessionRequest,
  type SignInResult,
  signInResult,
} from '../sessions/open-session.ts';
import { withReportedFields } from './identities.ts';
import { type FlowCode, type PresentedFlow, presentFlowCode } from './provider-flow.ts';
import { type EmailRequired, emailRequired, signUp } from './sign-up-by-provider.ts';

export const exchangeAnswer = union([signInResult, signInChallenge, emailRequired]);
export type ExchangeResult = SignInResult | SignInChallenge | EmailRequired;

const METHODS: readonly Method[] = ['oidc'];

/** Null if the identity does not open the account any more. */
type ExistingSignInResult = SignInResult | SignInChallenge | null;

/**
 * Signs the owner of an identity in to the account that it opens, whatever email the provider reports. A second factor
 * is required as after a password, since it is unknown which factors the provider has checked. The session is written
 * together with the redemption of the code, and removed again if another call redeemed the code first.
 */
const signInExisting = async (
  deps: Deps,
  owner: KeyOwner,
  { flow, redeem }: PresentedFlow,
  caller: Caller,
): Promise<ExistingSignInResult> => {
  const { accounts, change, keys } = deps;
  const { key } = owner;
  const { identity } = flow;
  /**
   * Adds to the account what the provider reports, and claims the login key again if a crash left the claim unfinished.
   * Undefined if another account has the key now.
   */
  const withReportAndKey = async (account: Account): Promise<Account | undefined> => {
    // A repeated decision gets an account that was read again, so the owner of the key is read again, too.
    const current = account === owner.account ? owner : await keys.find(key);
    const reported = withReportedFields(account, key, identity);
    if (current?.claimed === true) return reported;
    // The claim is a write of its own, so the code is redeemed before it.
    await redeem();
    const claim = await keys.claim(account, key);
    return claim === 'taken' ? undefined : withKey(reported, claim);
  };

  return change<ExistingSignInResult>(
    () => accounts.find(owner.account.id),
    async (account): Promise<Decision<ExistingSignInResult>> => {
      if (!exists(account) || loginKeyClaim(account, key) === undefined) return { next: null, answer: null };
      const owned = await withReportAndKey(account);
      if (owned === undefined) return { next: null, answer: null };
      if (owned.twoFactor !== null) {
        await redeem();
        return {
          next: owned === account ? null : owned,
          answer: newSignInChallenge(deps, owned, key),
        };
      }
      const next = rememberAddress(deps, owned, caller.client);
      const decision: Decision<SessionRequest> = {
        next: next === account ? null : next,
        answer: { account: next, methods: METHODS },
      };
      const opened = await openSession(deps, decision, caller, redeem);
      // `openSession` calls `redeem` only where it writes a session, and does not await it. A second call awaits the first one.
      await redeem().catch(async (error: unknown) => {
        if (opened.undo) await undoWithRetry(opened.undo);
        throw error;
      });
      // The answer of `opened` also has the methods, which are known here.
      return 'refuse' in opened ? opened : { ...opened, answer: opened.answer.result };
    },
    // The account was read already: passing it saves the first `find`.
    owner.account,
  );
};

/** How often the sign-in starts over while other calls change which account has the identity or its email. */
const ATTEMPTS = 20;

/** Signs in with the result of a flow. Decision 0095 has the table of cases. */
export const makeExchange = (deps: Deps) => {
  const { claimInTurn, digest, keys, log } = deps;

  const signIn = async (presented: PresentedFlow, caller: Caller): Promise<ExchangeResult> => {
    const { flow, redeem } = presented;
    const key = identityKey(digest, flow.identity.issuer, flow.identity.subject);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const owner = await keys.find(key);
      // A sign-up writes an account, so the code is redeemed before it.
      if (owner === undefined) await redeem();
      const result =
        owner === undefined
          ? await claimInTurn(key, () => signUp(deps, flow, key, caller))
          : await signInExisting(deps, owner, presented, caller);
      if (result !== null) return result;
    }
    throw unavailable('contended', 'Too many sign-ins with this identity at once; try again.', 1);
  };

  return async (input: FlowCode, caller: Caller): Promise<ExchangeResult> => {
    const callerFields = calledFrom(caller);
    try {
      // Of parallel calls with one code only the first writes a session, since each new session may end the user's oldest.
      const result = await claimInTurn(input.code, async () =>
        signIn(await presentFlowCode(deps, input, 'login', null), caller),
      );
      if (result.status !== 'email_required') {
        const event = result.status === 'second_factor_required' ? 'sign_in.challenged' : 'sign_in.succeeded';
        log.info(event, { factors: ['oidc'], userId: result.user.id, ...callerFields });
      }
      return result;
    } catch (error) {
      if (error instanceof CoreError)
        log.info('sign_in.failed', { reason: error.code, factors: ['oidc'], ...callerFields });
      throw error;
    }
  };
};
