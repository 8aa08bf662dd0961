import type { Kit } from '../kit.ts';
import { invalidFlow } from './errors.ts';
import { type Answered, makeSealedTrips, readOnwardToken, readTripCode, type TripPurpose } from './trip.ts';

/** The client's half of a trip: the code that came back to it, and the verifier that it kept. */
export interface TripCode {
  readonly code: string;
  /** 43 to 128 characters (RFC 7636 section 4.1). */
  readonly verifier: string;
}

/** What came of a trip, and the id of its flow. */
export interface TakenTrip extends Answered {
  readonly flowId: string;
}

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Fetches what came of trips. Whatever is wrong, it throws `unauthenticated` (`invalid_flow`). */
export const makeTakeTrip = ({
  clock,
  digest,
  flows,
  policy,
  sealer,
}: Pick<Kit, 'clock' | 'digest' | 'flows' | 'policy' | 'sealer'>) => {
  const sealed = makeSealedTrips(sealer);

  const opened = (flowId: string, content: string | null): TakenTrip => {
    const answered = content === null ? undefined : sealed.answered(flowId).open(content);
    if (answered === undefined) throw invalidFlow();
    return { ...answered, flowId };
  };

  return {
    /** By code and verifier. The code is spent by it, whatever the verifier is. */
    async byCode({ code, verifier }: TripCode, purpose: TripPurpose, of: string | null): Promise<TakenTrip> {
      const read = readTripCode(digest, code);
      if (read === undefined) throw invalidFlow();
      const now = clock.now();
      const expiresAt = now + policy.tripTokenLife;
      const step = {
        ...read,
        from: 'answered',
        to: 'taken',
        expiresAt,
        keptUntil: expiresAt + policy.tripLife,
      } as const;
      const flow = await flows.step(step, now);
      if (flow === undefined) throw invalidFlow();
      const taken = opened(flow.id, flow.content);
      const { client } = taken;
      const isOurs = VERIFIER.test(verifier) && digest.equal(digest.sha256(verifier), client.challenge);
      if (!isOurs || client.purpose !== purpose || client.sessionId !== of) throw invalidFlow();
      return taken;
    },

    /** One that was taken, by what it was found to be still good for. */
    async byToken(purpose: 'sign-up-token' | 'link-token', token: string): Promise<TakenTrip> {
      const id = readOnwardToken(digest, purpose, token);
      const flow = id === undefined ? undefined : await flows.find(id, clock.now());
      if (flow?.stage !== 'taken') throw invalidFlow();
      return opened(flow.id, flow.content);
    },

    /** Uses up what a taken one is still good for. */
    async spend({ flowId }: TakenTrip): Promise<void> {
      const now = clock.now();
      const keptUntil = now + policy.tripLife;
      const step = { id: flowId, from: 'taken', to: 'spent', expiresAt: now, keptUntil } as const;
      if ((await flows.step(step, now)) === undefined) throw invalidFlow();
    },
  };
};
