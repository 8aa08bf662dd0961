import type { HashedFor } from '../../core/accounts/ports.ts';

/** An account or a client that has running or waiting tasks. */
export interface Client {
  tasks: number;
  running: number;
  /** The number of the last turn of one of its tasks; 0 before the first turn. */
  lastTurn: number;
}

/** Tracks the account and the client of each task while they have tasks. */
export const makeClients = () => {
  const present = new Map<string, Client>();

  const addTask = (name: string): Client => {
    const entry = present.get(name) ?? { tasks: 0, running: 0, lastTurn: 0 };
    entry.tasks += 1;
    present.set(name, entry);
    return entry;
  };
  const removeTask = (name: string, entry: Client) => {
    entry.tasks -= 1;
    if (entry.tasks === 0) present.delete(name);
  };

  return async <T>(
    { account, client }: HashedFor,
    work: (clients: readonly Client[]) => Promise<T>,
  ): Promise<T> => {
    const names = [`account ${account}`, `client ${client}`];
    const entries = names.map((name) => [name, addTask(name)] as const);
    try {
      return await work(entries.map(([, entry]) => entry));
    } finally {
      for (const [name, entry] of entries) removeTask(name, entry);
    }
  };
};
