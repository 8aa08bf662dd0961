import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { acceptSetOut, findProvider, makeNewTicket, type SetOut } from './begin.ts';

/** Gives a session a ticket for a trip that proves once more who its owner is. */
export const makeBeginProof = (kit: Kit) => {
  const newTicket = makeNewTicket(kit);

  return async (who: Identity, provider: string, input: SetOut): Promise<{ readonly ticket: string }> => {
    findProvider(kit, provider);
    return { ticket: newTicket(provider, 'reauth', acceptSetOut(kit, input), who.session) };
  };
};
