import { object, type TypeOf, text } from '../../schema.ts';
import type { Deps } from '../deps.ts';
import { VERIFIER, verifiesChallenge } from '../pkce.ts';
import { type ContinuationPurpose, readContinuationToken } from '../single-use-token.ts';
import { invalidFlow } from './errors.ts';
import { type FlowPurpose, type FlowResult, makeFlowCodes } from './provider-flow.ts';

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

/** The result of a flow, and the id of the flow. */
export interface RedeemedFlow extends FlowResult {
  readonly flowId: string;
}

/** A flow whose code is not redeemed yet. */
export interface PresentedFlow {
  readonly flow: RedeemedFlow;
  /**
   * Redeems the code, once however often it is called; throws if another call was faster. Call it whatever the outcome
   * of the flow, and return nothing to the client before it resolves.
   */
  redeem(): Promise<void>;
}

/**
 * Fetches the result of a flow, for callers that redeem its code together with another write, so that both share a commit.
 * Whatever is wrong, it throws `unauthenticated` (`invalid_flow`), like the other functions here.
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
  const expiresAt = deps.clock.now() + deps.policy.flowTokenLife;
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
