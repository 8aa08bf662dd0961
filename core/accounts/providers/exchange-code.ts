import { message, TRUE } from '../../answers.ts';
import { CoreError, unavailable } from '../../errors.ts';
import { nullable, object, type TypeOf, text, union } from '../../schema.ts';
import { type Caller, calledFrom } from '../base-deps.ts';
import { makeLoginKeys, namedKey } from '../claim-login-keys.ts';
import type { Deps } from '../deps.ts';
import { isReservedEmail } from '../reserved-email.ts';
import { type SignInChallenge, signInChallenge } from '../second-factor/pending-sign-in.ts';
import { loggedIn, type SignInResult } from '../sessions/open-session.ts';
import { newContinuationToken } from '../single-use-token.ts';
import { findProvider } from './begin-flow.ts';
import { makeCreateAccountByProvider } from './create-account.ts';
import { accountExists, signUpClosed } from './errors.ts';
import { emailOf, linkedIdentity, vouchedEmailOf } from './identities.ts';
import {
  type FlowCode,
  makeRedeemFlowCode,
  type PresentedFlow,
  type RedeemedFlow,
} from './redeem-flow-code.ts';
import { makeSignInExisting } from './sign-in-existing.ts';

const emailRequired = object(
  {
    requiresEmail: TRUE,
    signUpToken: text({
      description: 'For `sign-up` and `verify-email`; valid for 10 minutes',
      examples: ['c2lnbi1pbg.bWFyaw'],
    }),
    email: nullable(
      text({ description: 'What the provider has, to suggest it', examples: ['ada@example.com'] }),
    ),
    message: message('Enter your email; we send a code to it.'),
  },
  { title: 'EmailRequired' },
);
/**
 * The provider vouches for no email: the user has to name one, and to enter the code that is mailed to it. `signUpToken`
 * represents the identity at `signUp` and `verifyEmail`. `email` is the provider's unverified one, as a suggestion; null
 * if it has none.
 */
export type EmailRequired = TypeOf<typeof emailRequired>;

export const exchangeAnswer = union([loggedIn, signInChallenge, emailRequired]);
export type ExchangeResult = SignInResult | SignInChallenge | EmailRequired;

/** How often the sign-in starts over while others sign in with the same identity. */
const ATTEMPTS = 20;

/** Signs in with the result of a flow. Decision 0095 has the table of cases. */
export const makeExchange = (deps: Deps) => {
  const { clock, digest, domains, log } = deps;
  const flowCodes = makeRedeemFlowCode(deps);
  const keys = makeLoginKeys(deps);
  const signInExisting = makeSignInExisting(deps);
  const createAccount = makeCreateAccountByProvider(deps);

  const emailRequired = (email: string | undefined, { flowId }: RedeemedFlow): EmailRequired => ({
    requiresEmail: true,
    signUpToken: newContinuationToken(digest, 'sign-up-token', flowId),
    email: email ?? null,
    message: 'Enter your email; we send a code to it.',
  });

  const signUp = async (flow: RedeemedFlow, key: string, caller: Caller): Promise<ExchangeResult | null> => {
    const { identity } = flow;
    const vouchedEmail = vouchedEmailOf(domains, identity);
    const holder = vouchedEmail === undefined ? undefined : await deps.accounts.findByEmail(vouchedEmail);
    // A concurrent sign-in has just created this identity's account.
    if (holder !== undefined && namedKey(holder, key) !== undefined) return null;
    const isTaken = async (email: string) => holder?.verified === true || isReservedEmail(deps, email);
    if (vouchedEmail !== undefined && (await isTaken(vouchedEmail))) {
      throw accountExists(vouchedEmail, newContinuationToken(digest, 'link-token', flow.flowId));
    }
    if (!findProvider(deps, identity.provider).signUp) throw signUpClosed();
    return vouchedEmail === undefined
      ? emailRequired(emailOf(domains, identity), flow)
      : createAccount(vouchedEmail, flow, caller);
  };

  const signIn = async (presented: PresentedFlow, caller: Caller): Promise<ExchangeResult> => {
    const { flow, redeem } = presented;
    const { key } = linkedIdentity(digest, flow.identity, clock.now());
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const owner = await keys.find(key);
      if (owner === undefined) await redeem();
      const result =
        owner === undefined
          ? await deps.claimInTurn(key, () => signUp(flow, key, caller))
          : await signInExisting(owner, presented, caller);
      if (result !== null) return result;
    }
    throw unavailable('contended', 'Too many sign-ins with this identity at once; try again.', 1);
  };

  return async (input: FlowCode, caller: Caller): Promise<ExchangeResult> => {
    const callerFields = calledFrom(caller);
    try {
      // Of parallel calls with one code only the first writes a session, since each new session may end the user's oldest.
      const result = await deps.claimInTurn(input.code, async () =>
        signIn(await flowCodes.present(input, 'login', null), caller),
      );
      if ('user' in result) {
        const event = 'requires2FA' in result ? 'sign_in.challenged' : 'sign_in.succeeded';
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
