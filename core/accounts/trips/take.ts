import type { Kit } from '../kit.ts';
import { invalidFlow } from './errors.ts';
import {
  type Answered,
  isVerifierOf,
  makeSealedTrips,
  readOnwardToken,
  readTripCode,
  type TripPurpose,
} from './trip.ts';

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

/** A trip whose code is not spent yet. */
export interface PresentedTrip {
  readonly trip: TakenTrip;
  /**
   * Spends the code, once however often it is called; throws where another call was faster. Whatever comes of the trip, it
   * must be called, and nothing may be told or be of use to anybody until it is done.
   */
  take(): Promise<void>;
}

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

  const spendCode = async (read: { readonly id: string; readonly codeDigest: string }, now: number) => {
    const expiresAt = now + policy.tripTokenLife;
    const step = { ...read, from: 'answered', to: 'taken', expiresAt } as const;
    if (!(await flows.step(step, now))) throw invalidFlow();
  };

  /** The same for one who spends the code together with another write, so that they share a commit. */
  const present = async (
    { code, verifier }: TripCode,
    purpose: TripPurpose,
    of: string | null,
  ): Promise<PresentedTrip> => {
    const read = readTripCode(digest, code);
    const now = clock.now();
    const flow = read && (await flows.find(read.id, now));
    if (read === undefined || flow === undefined) throw invalidFlow();
    // Digests: how far they agree tells nothing of the secret.
    if (flow.stage !== 'answered' || flow.codeDigest !== read.codeDigest) throw invalidFlow();
    let taking: Promise<void> | undefined;
    const take = () => {
      taking ??= spendCode(read, now);
      return taking;
    };
    try {
      const trip = opened(flow.id, flow.content);
      const { client } = trip;
      const isOurs = isVerifierOf(digest, verifier, client.challenge);
      if (!isOurs || client.purpose !== purpose || client.sessionId !== of) throw invalidFlow();
      return { trip, take };
    } catch (error) {
      await take();
      throw error;
    }
  };

  return {
    /** By code and verifier. The code is spent by it, whatever the verifier is. */
    async byCode(given: TripCode, purpose: TripPurpose, of: string | null): Promise<TakenTrip> {
      const { trip, take } = await present(given, purpose, of);
      await take();
      return trip;
    },

    present,

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
      const step = { id: flowId, from: 'taken', to: 'spent', expiresAt: now } as const;
      if (!(await flows.step(step, now))) throw invalidFlow();
    },
  };
};
