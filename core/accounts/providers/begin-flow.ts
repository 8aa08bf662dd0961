import { token } from '../../answer-schemas.ts';
import { invalid } from '../../errors.ts';
import { FLAG, list, object, optional, TEXT, type TypeOf, text } from '../../schema.ts';
import type { Deps } from '../deps.ts';
import { CHALLENGE, checkChallenge } from '../pkce.ts';
import type { Principal } from '../principal.ts';
import { hasValidMac, readSecret } from '../sessions/session-secret.ts';
import { revokeFlow, spendOnce } from '../single-use-token.ts';
import { invalidTicket } from './errors.ts';
import {
  errorRedirect,
  type FlowClient,
  type FlowPurpose,
  findProvider,
  makeSealedFlows,
  type Ticket,
} from './provider-flow.ts';
import { invalidRedirect, isRedirect, REDIRECT_URI } from './redirects.ts';

export const STATE_EXAMPLE = 'af0ifjsldkj-af0ifjsldkj';

export const STATE = text({
  maxLength: 4_096,
  description: 'Chosen by the client, 16 to 512 printable ASCII characters; it comes back with the code',
  examples: [STATE_EXAMPLE],
});
export const CHALLENGE_METHOD = text({ maxLength: 64, description: 'Only `S256`', examples: ['S256'] });
export const TICKET = token(
  'In place of all other parameters: from the address that `link` or `reauthenticate` gave',
);

const START = { redirectUri: REDIRECT_URI, challenge: CHALLENGE, state: STATE };
export const flowStart = object(START);
/**
 * Where a flow ends, one of `SIGN_IN_REDIRECTS`, and what binds its end to the client that began it: SHA-256 of the
 * client's verifier as base64url, and a state of 16 to 512 printable ASCII characters, which comes back with the code.
 */
export type FlowRequest = TypeOf<typeof flowStart>;

export const ticketRequest = object({ ...START, fromBrowser: optional(FLAG) });
/**
 * The request of a session for a ticket. `fromBrowser` says whether a page in the browser with the session's cookie sends
 * the request: such a ticket works in that browser alone. It is ignored for a session without a cookie.
 */
export type TicketRequest = TypeOf<typeof ticketRequest>;

export const ticketNavigation = object({ ticket: TICKET, sessionCookies: optional(list(TEXT)) });
/** A navigation of a browser with a ticket, and the values of the session's cookie that the browser sent. */
export type TicketNavigation = TypeOf<typeof ticketNavigation>;

export const beginFlowInput = object({
  redirectUri: REDIRECT_URI,
  challenge: CHALLENGE,
  challengeMethod: CHALLENGE_METHOD,
  state: STATE,
});
/** A navigation of a browser without a session. The challenge method is `S256`. */
export type BeginFlowInput = TypeOf<typeof beginFlowInput>;

/** Where the browser goes next. */
export interface BeginFlowResult {
  readonly location: string;
  /** The cookie that the browser must keep until the callback; null if no flow began. */
  readonly cookie: {
    /** Part of the cookie's name: a browser may be in several flows at once. */
    readonly name: string;
    readonly value: string;
    readonly seconds: number;
    /** Whether the callback is a cross-site form, so that the cookie must be `SameSite=None`. */
    readonly crossSite: boolean;
  } | null;
}

/** The length of the part of `state` that distinguishes a browser's flows. */
export const FLOW_NAME_LENGTH = 8;

/** The schema `STATE` allows more, so that a wrong state is refused as `invalid_state` and not as `invalid_request`. */
const STATE_FORM = /^[\x20-\x7e]{16,512}$/;

/** Throws `invalid` (`invalid_challenge`, `invalid_state`, `invalid_redirect`). */
export const checkFlowRequest = (
  { policy }: Pick<Deps, 'policy'>,
  { redirectUri, challenge, challengeMethod, state }: FlowRequest & { readonly challengeMethod?: string },
): void => {
  checkChallenge(challenge, challengeMethod);
  if (!STATE_FORM.test(state)) {
    throw invalid('invalid_state', 'The state must have 16 to 512 printable ASCII characters.');
  }
  if (!isRedirect(policy.signInRedirects, redirectUri)) throw invalidRedirect();
};

export const makeBeginFlow = (deps: Deps) => {
  const { clock, digest, flows, log, policy, providers, random, sealer } = deps;
  const sealed = makeSealedFlows(sealer);

  const isFromItsBrowser = ({ inBrowser, client }: Ticket, cookies: readonly string[]): boolean =>
    inBrowser !== true ||
    cookies.some(
      (cookie) =>
        hasValidMac(digest, 'cookie-mark', cookie) && readSecret(cookie)?.sessionId === client.sessionId,
    );

  /**
   * Ends the flow that the first use of a ticket began: the ticket has leaked, and nobody can tell whose browser came
   * first. The flow may have its callback already; only a code that the client has redeemed stays redeemed.
   */
  const endFlowOf = async (ticketDigest: string, provider: string, { userId }: FlowClient): Promise<void> => {
    const now = clock.now();
    // The record of the first use holds the id of its flow. A ticket that expired unused has no record.
    const flowId = (await flows.find(ticketDigest, now))?.content;
    if (typeof flowId !== 'string') return;
    // No flow of a ticket lasts longer.
    await revokeFlow(deps, flowId, now + policy.flowLifeMs + policy.ticketLifeMs);
    log.warn('oidc.ticket_used_again', { id: provider, ...(userId !== null && { userId }) });
  };

  /**
   * A ticket works once: its first use stores its digest and the id of its flow. The flow itself is in its cookie alone, so
   * that a flood of navigations without a ticket stores nothing.
   */
  const useTicket = async (
    provider: string,
    { ticket: sealedTicket, sessionCookies = [] }: TicketNavigation,
    flowId: string,
  ): Promise<FlowClient> => {
    const ticket = sealed.ticket.open(sealedTicket);
    const isValid = ticket?.provider === provider && isFromItsBrowser(ticket, sessionCookies);
    if (ticket === undefined || !isValid) throw invalidTicket();
    const ticketDigest = digest.sha256(`ticket:${ticket.id}`);
    const lastsUntil = ticket.expiresAt + policy.flowLifeMs;
    const lifetime = { expiresAt: lastsUntil, keptUntil: lastsUntil };
    const isExpired = ticket.expiresAt <= clock.now();
    const isFirstUse = !isExpired && (await spendOnce(deps, ticketDigest, lifetime, flowId));
    if (isFirstUse) return ticket.client;
    await endFlowOf(ticketDigest, provider, ticket.client);
    throw invalidTicket();
  };

  const clientOf = async (provider: string, input: BeginFlowInput | TicketNavigation, flowId: string) => {
    if ('ticket' in input) return useTicket(provider, input, flowId);
    checkFlowRequest(deps, input);
    const { redirectUri, challenge, state } = input;
    return { redirectUri, challenge, state, purpose: 'login' as const, userId: null, sessionId: null };
  };

  return async (id: string, input: BeginFlowInput | TicketNavigation): Promise<BeginFlowResult> => {
    const { formPost } = findProvider(deps, id);
    const state = random.text(32);
    const nonce = random.text(32);
    const verifier = random.text(32);
    const client = await clientOf(id, input, digest.sha256(state));
    const proof = client.purpose === 'reauth';
    try {
      const { address, issuer } = await providers.begin(id, { state, nonce, verifier, proof });
      const flow = { provider: id, issuer, state, nonce, verifier, proof, client, at: clock.now() };
      const cookie = {
        name: state.slice(0, FLOW_NAME_LENGTH),
        value: sealed.pending.seal(flow),
        seconds: Math.floor(policy.flowLifeMs / 1000),
        crossSite: formPost,
      };
      return { location: address, cookie };
    } catch (error) {
      return { location: errorRedirect(client, error), cookie: null };
    }
  };
};

/** Creates a ticket: a session requests a flow, and its browser begins it at an address that does not reveal the session. */
export const newTicket = (
  { clock, policy, random, sealer }: Deps,
  provider: string,
  purpose: Exclude<FlowPurpose, 'login'>,
  { redirectUri, challenge, state, fromBrowser = false }: TicketRequest,
  { session: { userId, id }, cookie }: Pick<Principal, 'session' | 'cookie'>,
): string =>
  makeSealedFlows(sealer).ticket.seal({
    id: random.text(16),
    provider,
    client: { redirectUri, challenge, state, purpose, userId, sessionId: id },
    expiresAt: clock.now() + policy.ticketLifeMs,
    ...(fromBrowser && cookie !== undefined && { inBrowser: true }),
  });

/** Issues a ticket for a flow that authenticates the session's owner again. */
export const makeBeginProof =
  (deps: Deps) =>
  async (
    principal: Principal,
    provider: string,
    input: TicketRequest,
  ): Promise<{ readonly ticket: string }> => {
    findProvider(deps, provider);
    checkFlowRequest(deps, input);
    return { ticket: newTicket(deps, provider, 'reauth', input, principal) };
  };
