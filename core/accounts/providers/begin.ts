import { CoreError } from '../../errors.ts';
import type { Kit } from '../kit.ts';
import { invalidTicket, providerNotFound } from '../trips/errors.ts';
import { invalidRedirect, isRedirect, withQuery } from '../trips/redirects.ts';
import { checkTripClient, makeSealedTrips, type TripClient, type TripPurpose } from '../trips/trip.ts';
import type { IdentityProvider } from '../ways-in/provider.ts';

/** Where a trip ends, and what binds its end to the client that began it. */
export interface SetOut {
  /** One of `SIGN_IN_REDIRECTS`. */
  readonly redirectUri: string;
  /** SHA-256 of the client's verifier as base64url. */
  readonly challenge: string;
  /** The client's own, 16 to 512 printable ASCII characters; it comes back with the code. */
  readonly state: string;
}

/** A navigation of a browser that nobody has logged in with. */
export interface BeginTrip extends SetOut {
  /** Only `S256`. */
  readonly challengeMethod: string;
}

/** Where the browser goes next. */
export interface SetOff {
  readonly location: string;
  /** What the browser has to keep until it comes back; null where there is nothing to come back from. */
  readonly keep: {
    /** Part of the cookie's name: a browser may be on several trips. */
    readonly name: string;
    readonly value: string;
    readonly seconds: number;
    /** Whether it comes back with a form from another site, so that the cookie must be sent with one. */
    readonly crossSite: boolean;
  } | null;
}

/** Characters of our state by which a browser's trips are told apart. */
const TRIP_NAME = 8;

export const findProvider = ({ providers }: Pick<Kit, 'providers'>, id: string): IdentityProvider => {
  const found = providers.list.find((provider) => provider.id === id);
  if (found === undefined) throw providerNotFound();
  return found;
};

/** Takes what a client sends, for a navigation or for a ticket. */
export const acceptSetOut = ({ policy }: Pick<Kit, 'policy'>, given: SetOut): SetOut => {
  checkTripClient(given);
  const { redirectUri, challenge, state } = given;
  if (!isRedirect(policy.signInRedirects, redirectUri)) throw invalidRedirect();
  return { redirectUri, challenge, state };
};

export const makeBeginTrip = (kit: Kit) => {
  const { clock, digest, flows, policy, providers, random, sealer } = kit;
  const sealed = makeSealedTrips(sealer);

  /** A ticket is good once. Only its id is written, so that a flood of navigations stores nothing. */
  const useTicket = async (provider: string, given: string): Promise<TripClient> => {
    const ticket = sealed.ticket.open(given);
    const now = clock.now();
    if (ticket === undefined || ticket.provider !== provider || ticket.expiresAt <= now)
      throw invalidTicket();
    const isFirst = await flows.add({
      id: digest.sha256(`ticket:${ticket.id}`),
      stage: 'spent',
      codeDigest: null,
      content: null,
      expiresAt: ticket.expiresAt,
      keptUntil: ticket.expiresAt + policy.tripLife,
    });
    if (!isFirst) throw invalidTicket();
    return ticket.client;
  };

  const clientOf = async (provider: string, given: BeginTrip | { readonly ticket: string }) => {
    if ('ticket' in given) return useTicket(provider, given.ticket);
    checkTripClient(given);
    return { ...acceptSetOut(kit, given), purpose: 'login' as const, userId: null, sessionId: null };
  };

  return async (id: string, given: BeginTrip | { readonly ticket: string }): Promise<SetOff> => {
    const { formPost } = findProvider(kit, id);
    const client = await clientOf(id, given);
    const [state, nonce, verifier] = [random.text(32), random.text(32), random.text(32)];
    const proof = client.purpose === 'reauth';
    try {
      const { address, issuer } = await providers.begin(id, { state, nonce, verifier, proof });
      const value = sealed.begun.seal({
        ...{ provider: id, issuer, state, nonce, verifier, proof, client },
        at: clock.now(),
      });
      const keep = {
        name: state.slice(0, TRIP_NAME),
        value,
        seconds: Math.floor(policy.tripLife / 1000),
        crossSite: formPost,
      };
      return { location: address, keep };
    } catch (error) {
      return { location: refusedAt(client, error), keep: null };
    }
  };
};

const SHOWN = ['access_denied', 'provider_error', 'provider_unavailable', 'provider_answer_invalid'];

/** The client's address with what went wrong, in words of ours. Throws the error again if it is no refusal of a trip. */
export const refusedAt = ({ redirectUri, state }: TripClient, error: unknown): string => {
  if (!(error instanceof CoreError) || !SHOWN.includes(error.code)) throw error;
  return withQuery(redirectUri, { error: error.code, state });
};

/** Makes tickets: a session asks for a trip, and its browser sets out by an address that says nothing of it. */
export const makeNewTicket = ({ clock, policy, random, sealer }: Kit) => {
  const { ticket } = makeSealedTrips(sealer);
  return (
    provider: string,
    purpose: Exclude<TripPurpose, 'login'>,
    given: SetOut,
    { userId, id }: { readonly userId: string; readonly id: string },
  ): string =>
    ticket.seal({
      id: random.text(16),
      provider,
      client: { ...given, purpose, userId, sessionId: id },
      expiresAt: clock.now() + policy.ticketLife,
    });
};
