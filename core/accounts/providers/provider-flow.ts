import type { Sealer } from '../../ports.ts';
import type { Deps } from '../deps.ts';
import { CLOCK_SET_BACK } from '../policy.ts';
import { sealedJson } from '../sealed-json.ts';
import { makeSingleUseTokens } from '../single-use-token.ts';
import type { AuthorizationRequest, ProviderIdentity } from './identity-provider.ts';

/** What a flow is for. The result of a flow for one purpose is valid for no other. */
export type FlowPurpose = 'login' | 'link' | 'reauth';

/** Who began a flow, and where it ends. */
export interface FlowClient {
  readonly purpose: FlowPurpose;
  readonly redirectUri: string;
  /** Of the client's own code verifier, S256 (RFC 7636). */
  readonly challenge: string;
  /** The client's own state, which it gets back. */
  readonly state: string;
  /** Whose session asked for the flow; null for a sign-in. */
  readonly userId: string | null;
  readonly sessionId: string | null;
}

/** A flow as its cookie holds it. */
export interface PendingFlow extends AuthorizationRequest {
  readonly provider: string;
  readonly client: FlowClient;
}

/** A flow that a session asked for, until its browser begins it. */
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

/** Whether a time lies at most so many milliseconds in the past. */
export const isWithin = (at: number, milliseconds: number, now: number): boolean =>
  at <= now + CLOCK_SET_BACK && now - at < milliseconds;
