import type { Account } from '../account.ts';
import type { Identity } from '../identity.ts';
import { makeLoginKeys, namedKey } from '../keys/login-keys.ts';
import type { Kit } from '../kit.ts';
import { identityKey } from '../ways-in/login-key.ts';
import { invalidFlow } from './errors.ts';
import { makeTakeTrip, type TripCode } from './take.ts';
import { isWithin } from './trip.ts';

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
