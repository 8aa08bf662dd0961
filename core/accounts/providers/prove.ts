import type { Account } from '../account.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { identityKey } from '../login-key.ts';
import { makeLoginKeys, namedKey } from '../login-keys.ts';
import { acceptSetOut, findProvider, makeNewTicket, type SetOut } from './begin.ts';
import { invalidFlow } from './errors.ts';
import { makeTakeTrip, type TripCode } from './take.ts';
import { isWithin } from './trips.ts';

/** Gives a session a ticket for a trip that proves once more who its owner is. */
export const makeBeginProof = (kit: Kit) => {
  const newTicket = makeNewTicket(kit);

  return async (who: Identity, provider: string, input: SetOut): Promise<{ readonly ticket: string }> => {
    findProvider(kit, provider);
    return { ticket: newTicket(provider, 'reauth', acceptSetOut(kit, input), who.session) };
  };
};

/**
 * Takes a trip for a proof: gives what to ask of the account, which must be open to the identity. Some providers do not
 * ask the person again, and do not say when they last did; one that says it must have done so just now.
 */
export const makeTakeProof = (kit: Kit) => {
  const { clock, digest, policy } = kit;
  const trips = makeTakeTrip(kit);
  const keys = makeLoginKeys(kit);

  return async (who: Identity, input: TripCode): Promise<(account: Account) => boolean> => {
    const { identity } = await trips.byCode(input, 'reauth', who.session.id);
    const { authenticatedAt, issuer, subject } = identity;
    const key = identityKey(digest, issuer, subject);
    const isRecent =
      authenticatedAt === null || isWithin(authenticatedAt, policy.providerProofAge, clock.now());
    const owner = await keys.find(key);
    if (!isRecent || owner?.claimed !== true || owner.account.id !== who.user.id) throw invalidFlow();
    return (account) => namedKey(account, key) !== undefined;
  };
};
