import type { HashedFor } from '../../core/accounts/ports.ts';

/** An account or a client with tasks that run or wait. */
export interface Party {
  tasks: number;
  /** The number of the last turn that one of its tasks got; 0 for none. */
  lastTurn: number;
}

/** Knows the account and the client of each task for as long as they have any. */
export const makeParties = () => {
  const present = new Map<string, Party>();

  const enter = (name: string): Party => {
    const party = present.get(name) ?? { tasks: 0, lastTurn: 0 };
    party.tasks += 1;
    present.set(name, party);
    return party;
  };
  const leave = (name: string, party: Party) => {
    party.tasks -= 1;
    if (party.tasks === 0) present.delete(name);
  };

  return async <T>(
    { account, client }: HashedFor,
    work: (own: readonly Party[]) => Promise<T>,
  ): Promise<T> => {
    const names = [`account ${account}`, `client ${client}`];
    const own = names.map((name) => [name, enter(name)] as const);
    try {
      return await work(own.map(([, party]) => party));
    } finally {
      for (const [name, party] of own) leave(name, party);
    }
  };
};
