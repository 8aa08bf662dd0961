import { CoreError } from '../../errors.ts';
import type { Sealer } from '../../ports.ts';
import { object, type TypeOf, text } from '../../schema.ts';
import type { Account } from '../account.ts';
import { loginKeyClaim } from '../claim-login-keys.ts';
import type { Deps } from '../deps.ts';
import { identityKey } from '../login-key.ts';
import { VERIFIER, verifiesChallenge } from '../pkce.ts';
import { CLOCK_SET_BACK_MS } from '../policy.ts';
import type { Principal } from '../principal.ts';
import {
  type ContinuationPurpose,
  makeSingleUseTokens,
  readContinuationToken,
  sealedJson,
} from '../single-use-token.ts';
import { invalidFlow, providerNotFound } from './errors.ts';
import type { AuthorizationRequest, IdentityProvider, ProviderIdentity } from './identity-provider.ts';
import { withQuery } from './redirects.ts';

/** What a flow is for. The result of a flow for one purpose is valid for no other. */
export type FlowPurpose = 'login' | 'link' | 'reauth';

/** Who began a flow, and where it ends. */
export interface FlowClient {
  readonly purpose: FlowPurpose;
  readonly redirectUri: string;
  /** SHA-256 of the client's own code verifier, as base64url (RFC 7636). */
  readonly challenge: string;
  /** The client's own state, which it gets back. */
  readonly state: string;
  /** The user and the session that requested the flow; null for a sign-in. */
  readonly userId: string | null;
  readonly sessionId: string | null;
}

/** A flow as its cookie holds it. */
export interface PendingFlow extends AuthorizationRequest {
  readonly provider: string;
  readonly client: FlowClient;
}

/** A flow that a session requested, until its browser begins it. */
export interface Ticket {
  readonly id: string;
  readonly provider: string;
  readonly client: FlowClient;
  readonly expiresAt: number;
  /** Present where only the browser with the cookie of the client's session may use the ticket. */
  readonly inBrowser?: true;
}

/** The result of a flow, for which its code stands. */
export interface FlowResult {
  readonly identity: ProviderIdentity;
  readonly client: FlowClient;
}

/** The codes with which clients redeem the results of flows. */
export const makeFlowCodes = (deps: Deps) =>
  makeSingleUseTokens<FlowResult>(deps, (flowId) => `flow-answer:${flowId}`);

/** The sealed forms of a flow before its callback. */
export const makeSealedFlows = (sealer: Sealer) => ({
  pending: sealedJson<PendingFlow>(sealer, 'flow'),
  ticket: sealedJson<Ticket>(sealer, 'flow-ticket'),
});

/** Whether a time lies less than so many milliseconds in the past, or in the future by no more than clocks may differ. */
export const isWithin = (at: number, milliseconds: number, now: number): boolean =>
  at <= now + CLOCK_SET_BACK_MS && now - at < milliseconds;

export const findProvider = ({ providers }: Pick<Deps, 'providers'>, id: string): IdentityProvider => {
  const provider = providers.list.find((provider) => provider.id === id);
  if (provider === undefined) throw providerNotFound();
  return provider;
};

/** The errors that end a flow at the client's address. */
const REPORTED_ERRORS = [
  'access_denied',
  'provider_error',
  'provider_unavailable',
  'provider_answer_invalid',
];

/** The client's address with the code of the error. Rethrows errors that do not end a flow. */
export const errorRedirect = ({ redirectUri, state }: FlowClient, error: unknown): string => {
  if (!(error instanceof CoreError) || !REPORTED_ERRORS.includes(error.code)) throw error;
  return withQuery(redirectUri, { error: error.code, state });
};

export const FLOW_CODE_EXAMPLE = 'c2lnbi1pbg.Y29kZQ';

export const FLOW_CODE = text({
  minLength: 1,
  maxLength: 128,
  description: 'From the address to which a sign-in with a provider came back; valid once, for a minute',
  examples: [FLOW_CODE_EXAMPLE],
});

export const flowCode = object({ code: FLOW_CODE, verifier: VERIFIER });
/**
 * The client's half of a flow: the code that came back to it, and the verifier that it kept, of 43 to 128 characters
 * (RFC 7636 section 4.1).
 */
export type FlowCode = TypeOf<typeof flowCode>;

export interface RedeemedFlow extends FlowResult {
  readonly flowId: string;
}

/** A flow whose code is not redeemed yet. */
export interface PresentedFlow {
  /** The flow as it is once `redeem` has resolved. */
  readonly flow: RedeemedFlow;
  /**
   * Redeems the code; further calls return the result of the first. Throws if another request has redeemed the code. Call it
   * whatever the outcome of the flow, and return nothing to the client before it resolves. The exception is a fresh proof
   * whose second factor is refused (`makeReauthenticate`): the code stays valid, so that a mistyped factor needs no other
   * provider flow.
   */
  redeem(): Promise<void>;
}

/**
 * Fetches the result of a flow, for callers that redeem its code together with another write, so that both share a commit.
 * Whatever is wrong, it throws `unauthenticated` (`invalid_flow`), like `findRedeemedFlow`. A code that comes without its
 * verifier, from another session or for another purpose is redeemed all the same: it may have leaked.
 */
export const presentFlowCode = async (
  deps: Deps,
  { code, verifier }: FlowCode,
  purpose: FlowPurpose,
  sessionId: string | null,
): Promise<PresentedFlow> => {
  const codes = makeFlowCodes(deps);
  const presented = await codes.find(code);
  if (presented?.stage !== 'answered') throw invalidFlow();
  /** Until when the redeemed flow may be continued. */
  const expiresAt = deps.clock.now() + deps.policy.flowTokenLifeMs;
  let redeeming: Promise<void> | undefined;
  const redeem = () => {
    redeeming ??= codes.redeem(presented, expiresAt).then((isFirst) => {
      if (!isFirst) throw invalidFlow();
    });
    return redeeming;
  };
  const { id: flowId, content: result } = presented;
  const isValid =
    result !== undefined &&
    verifiesChallenge(deps.digest, verifier, result.client.challenge) &&
    result.client.purpose === purpose &&
    result.client.sessionId === sessionId;
  if (isValid) return { flow: { ...result, flowId }, redeem };
  await redeem();
  throw invalidFlow();
};

/** A flow that was redeemed, by the token with which it may be continued. */
export const findRedeemedFlow = async (
  deps: Deps,
  purpose: ContinuationPurpose,
  token: string,
): Promise<RedeemedFlow> => {
  const flowId = readContinuationToken(deps.digest, purpose, token);
  const result = flowId === undefined ? undefined : await makeFlowCodes(deps).findRedeemed(flowId);
  if (flowId === undefined || result === undefined) throw invalidFlow();
  return { ...result, flowId };
};

/** A fresh proof by a provider, whose code is not redeemed yet. */
export interface ProviderProof {
  /** Whether the identity still opens the account. */
  readonly stillProves: (account: Account) => boolean;
  /** Redeems the code; the proof is not valid before. Throws if another call was faster. */
  readonly redeem: () => Promise<void>;
}

/**
 * Checks the result of a flow as a fresh proof: the identity must open the account. Some providers neither ask the user
 * again nor report when they last did; a time that is reported must be recent. The adapter refuses a callback without a
 * time from providers that were asked for one.
 */
export const checkProviderProof = async (
  deps: Deps,
  principal: Principal,
  input: FlowCode,
): Promise<ProviderProof> => {
  const { clock, digest, keys, policy } = deps;
  const { flow, redeem } = await presentFlowCode(deps, input, 'reauth', principal.session.id);
  const { authenticatedAt, issuer, subject } = flow.identity;
  const key = identityKey(digest, issuer, subject);
  const isRecent =
    authenticatedAt === null || isWithin(authenticatedAt, policy.providerProofAgeMs, clock.now());
  const owner = await keys.find(key);
  if (!isRecent || owner?.claimed !== true || owner.account.id !== principal.user.id) {
    // A refused proof spends its code, too.
    await redeem();
    throw invalidFlow();
  }
  return { stillProves: (account) => loginKeyClaim(account, key) !== undefined, redeem };
};
