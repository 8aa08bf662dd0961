import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { flowLost } from '../trips/errors.ts';
import { withQuery } from '../trips/redirects.ts';
import { isWithin, makeSealedTrips, newTripCode } from '../trips/trip.ts';
import type { TripAnswer } from '../ways-in/provider.ts';
import { findProvider, refusedAt } from './begin.ts';

/** A provider's answer, as a browser brings it. */
export interface BroughtAnswer {
  /** What the browser kept of the trip with this name; absent where it has nothing. */
  readonly kept?: string;
  /** Each parameter as often as it came, in their order. */
  readonly parameters: TripAnswer;
}

/** The one `state` of an answer; undefined where there is none or more. */
const stateOf = (parameters: TripAnswer): string | undefined => {
  const states = parameters.filter(([name]) => name === 'state');
  return states.length === 1 ? states[0]?.[1] : undefined;
};

/**
 * Takes a provider's answer: checks it and keeps it for the client, who fetches it with its code and verifier. No account
 * changes here: who has the browser alone gets nothing.
 */
export const makeAnswerTrip = (kit: Kit) => {
  const { clock, digest, flows, log, policy, providers, sealer } = kit;
  const sealed = makeSealedTrips(sealer);

  return async (
    id: string,
    brought: BroughtAnswer,
    caller: Caller,
  ): Promise<{ readonly location: string }> => {
    findProvider(kit, id);
    const lost = () => {
      log.info('oidc.answer_refused', { reason: 'flow_lost', id, ...calledFrom(caller) });
      return flowLost();
    };
    const state = stateOf(brought.parameters);
    const trip = brought.kept === undefined ? undefined : sealed.begun.open(brought.kept);
    if (state === undefined || trip === undefined || !digest.equal(trip.state, state)) throw lost();
    if (!isWithin(trip.at, policy.tripLife, clock.now()) || trip.provider !== id) throw lost();

    const { client } = trip;
    try {
      const identity = await providers.identify(id, brought.parameters, trip);
      const flowId = digest.sha256(state);
      const { code, codeDigest } = newTripCode(kit, flowId);
      const now = clock.now();
      const isFirst = await flows.add({
        id: flowId,
        stage: 'answered',
        codeDigest,
        content: sealed.answered(flowId).seal({ identity, client }),
        expiresAt: now + policy.tripCodeLife,
        // Longer than the browser could bring an answer to the same trip once more, or the client a token of it.
        keptUntil: now + policy.tripLife + policy.tripCodeLife + policy.tripTokenLife,
      });
      if (!isFirst) throw lost();
      return { location: withQuery(client.redirectUri, { code, state: client.state }) };
    } catch (error) {
      return { location: refusedAt(client, error) };
    }
  };
};
