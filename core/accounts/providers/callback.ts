import { type Caller, calledFrom } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { FLOW_NAME_LENGTH } from './begin-flow.ts';
import { flowLost } from './errors.ts';
import type { CallbackParams } from './identity-provider.ts';
import { errorRedirect, findProvider, isWithin, makeFlowCodes, makeSealedFlows } from './provider-flow.ts';
import { withQuery } from './redirects.ts';

/** A provider's callback, as the browser delivers it. */
export interface ProviderCallback {
  /** The value of the flow's cookie; absent if the browser did not send it. */
  readonly cookie?: string;
  /** Each parameter as often as it came, in their order. */
  readonly parameters: CallbackParams;
}

/** The `state` parameter; undefined if it is missing or repeated. */
const stateOf = (parameters: CallbackParams): string | undefined => {
  const states = parameters.filter(([name]) => name === 'state');
  return states.length === 1 ? states[0]?.[1] : undefined;
};

const FLOW_NAME = new RegExp(`^[A-Za-z0-9_-]{${FLOW_NAME_LENGTH}}`);

/** The name of the flow that a callback belongs to; undefined without exactly one `state`. */
export const flowNameIn = (parameters: CallbackParams): string | undefined =>
  FLOW_NAME.exec(stateOf(parameters) ?? '')?.[0];

/**
 * Checks a provider's callback and stores its result for the client, which fetches it with its code and verifier. No
 * account changes here: a browser that makes the callback, but has no verifier, gains nothing.
 */
export const makeHandleCallback = (deps: Deps) => {
  const { clock, digest, log, policy, providers, sealer } = deps;
  const codes = makeFlowCodes(deps);
  const sealed = makeSealedFlows(sealer);

  return async (
    id: string,
    callback: ProviderCallback,
    caller: Caller,
  ): Promise<{ readonly location: string }> => {
    findProvider(deps, id);
    const lost = () => {
      log.info('oidc.answer_refused', { reason: 'flow_lost', id, ...calledFrom(caller) });
      return flowLost();
    };
    const state = stateOf(callback.parameters);
    const flow = callback.cookie === undefined ? undefined : sealed.pending.open(callback.cookie);
    if (state === undefined || flow === undefined || !digest.equal(flow.state, state)) throw lost();
    if (!isWithin(flow.at, policy.flowLifeMs, clock.now()) || flow.provider !== id) throw lost();

    const { client } = flow;
    try {
      const identity = await providers.identify(id, callback.parameters, flow);
      const now = clock.now();
      const lifetime = {
        expiresAt: now + policy.flowCodeLifeMs,
        // After this time no browser can repeat the callback of this flow, and no client can use a token of it.
        keptUntil: now + policy.flowLifeMs + policy.flowCodeLifeMs + policy.flowTokenLifeMs,
      };
      const code = await codes.issue(digest.sha256(state), { identity, client }, lifetime);
      // This callback was handled before, or the one-time ticket that began the flow was used again, which ends the flow.
      if (code === undefined) throw lost();
      return { location: withQuery(client.redirectUri, { code, state: client.state }) };
    } catch (error) {
      // `errorRedirect` throws errors again that are not the provider's, such as `lost()`.
      return { location: errorRedirect(client, error) };
    }
  };
};
