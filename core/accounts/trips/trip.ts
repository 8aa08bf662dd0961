import { invalid } from '../../errors.ts';
import type { Digest, Random, Sealer } from '../../ports.ts';
import { CLOCK_SET_BACK } from '../policy.ts';
import type { ProviderIdentity, Trip } from '../ways-in/provider.ts';

/** What a trip is for. An answer that was got for one is good for no other. */
export type TripPurpose = 'login' | 'link' | 'reauth';

/** Who sent the person on a trip, and where it ends. */
export interface TripClient {
  readonly purpose: TripPurpose;
  readonly redirectUri: string;
  /** Of the client's own code verifier, S256 (RFC 7636). */
  readonly challenge: string;
  /** The client's own, which it gets back. */
  readonly state: string;
  /** Whose session asked; null for a login. */
  readonly userId: string | null;
  readonly sessionId: string | null;
}

/** A trip as the flow cookie holds it. */
export interface BegunTrip extends Trip {
  readonly provider: string;
  readonly client: TripClient;
}

/** A trip that a session asked for, until its browser sets out. */
export interface Ticket {
  readonly id: string;
  readonly provider: string;
  readonly client: TripClient;
  readonly expiresAt: number;
}

/** What came of a trip. */
export interface Answered {
  readonly identity: ProviderIdentity;
  readonly client: TripClient;
}

/** Seals texts of one kind; opening gives undefined for all that was not sealed by us as this kind. */
const sealed = <T>(sealer: Sealer, context: string) => ({
  seal: (value: T): string => sealer.seal(JSON.stringify(value), context),
  open(text: string): T | undefined {
    const opened = sealer.open(text, context);
    return opened === undefined ? undefined : (JSON.parse(opened) as T);
  },
});

/** The sealed forms of a trip, from its ticket to its answer. */
export const makeSealedTrips = (sealer: Sealer) => ({
  begun: sealed<BegunTrip>(sealer, 'flow'),
  ticket: sealed<Ticket>(sealer, 'flow-ticket'),
  /** In the store, under the flow's id: an answer that is moved to another flow opens nothing. */
  answered: (id: string) => sealed<Answered>(sealer, `flow-answer:${id}`),
});

const CODE = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

/** A code for the client: the flow's id, and a secret of which the store has the digest. */
export const newTripCode = ({ digest, random }: { digest: Digest; random: Random }, flowId: string) => {
  const secret = random.text(32);
  return { code: `${flowId}.${secret}`, codeDigest: digest.sha256(secret) };
};

export const readTripCode = (digest: Digest, code: string) => {
  const [, id, secret] = CODE.exec(code) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, codeDigest: digest.sha256(secret) };
};

/** What a flow that was taken is still good for: a mark over its id says that we allowed it. */
type Onward = 'sign-up-token' | 'link-token';

export const newOnwardToken = (digest: Digest, purpose: Onward, flowId: string): string =>
  `${flowId}.${digest.keyed(purpose, flowId)}`;

/** The id of the flow; undefined for a token of another purpose, or of nobody's. */
export const readOnwardToken = (digest: Digest, purpose: Onward, token: string): string | undefined => {
  const [, id, mark] = CODE.exec(token) ?? [];
  if (id === undefined || mark === undefined) return undefined;
  return digest.everyKeyed(purpose, id).some((right) => digest.equal(right, mark)) ? id : undefined;
};

/** Whether a time is past by at most so many milliseconds. */
export const isWithin = (at: number, milliseconds: number, now: number): boolean =>
  at <= now + CLOCK_SET_BACK && now - at < milliseconds;

/** 43 characters, as SHA-256 has as base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

const STATE = /^[\x20-\x7e]{16,512}$/;

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Whether the challenge was made of this verifier (RFC 7636 section 4.6). */
export const isVerifierOf = (digest: Digest, verifier: string, challenge: string): boolean =>
  VERIFIER.test(verifier) && digest.equal(digest.sha256(verifier), challenge);

/** Throws `invalid` (`invalid_challenge`). */
export const checkChallenge = (challenge: string, method = 'S256'): void => {
  if (method !== 'S256' || !CHALLENGE.test(challenge)) {
    throw invalid(
      'invalid_challenge',
      'The challenge must be SHA-256 of the verifier as base64url, by S256.',
    );
  }
};

/** Throws `invalid` (`invalid_challenge`, `invalid_state`). */
export const checkTripClient = (given: {
  readonly challenge: string;
  readonly challengeMethod?: string;
  readonly state: string;
}): void => {
  const { challenge, challengeMethod, state } = given;
  checkChallenge(challenge, challengeMethod);
  if (!STATE.test(state)) {
    throw invalid('invalid_state', 'The state must have 16 to 512 printable ASCII characters.');
  }
};
