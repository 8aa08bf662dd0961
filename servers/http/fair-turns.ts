/** A client's key, or what stands for a client. */
export type ClientKey = string | object;

export interface FairTurns {
  /** Whether there is room for another job in this turn. It is counted then. */
  take(): boolean;
  hasWaiting(): boolean;
  /** Runs the job in a later turn. */
  wait(client: ClientKey, job: () => void): void;
  /** Runs the job in this turn, or else in a later one. */
  run(client: ClientKey, job: () => void): void;
}

/** Whether a connection came in this turn of the event loop or in the one before. */
let isAccepting = false;
let ending: NodeJS.Immediate | undefined;

/**
 * Keeps this turn and the next one short. Node.js accepts one connection in a turn: behind 2,000 others a client waits for as
 * many turns.
 */
export const noteConnection = (): void => {
  isAccepting = true;
  clearImmediate(ending);
  ending = setImmediate(() => {
    ending = setImmediate(() => {
      isAccepting = false;
    });
  });
};

/**
 * Runs at most `most` jobs in a turn of the event loop, one while connections come, so that the event loop gets to everything
 * else soon. Clients take turns: one with many jobs delays its own.
 */
export const makeFairTurns = (most: number): FairTurns => {
  /** The clients with waiting jobs, the next one first. */
  const waitersByClient = new Map<ClientKey, Set<() => void>>();
  let count = 0;
  let isPlanned = false;
  const hasRoom = () => count < (isAccepting ? 1 : most);

  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(begin);
  };
  const begin = () => {
    isPlanned = false;
    count = 0;
    if (waitersByClient.size > 0) plan();
    for (const [client, jobs] of waitersByClient) {
      if (!hasRoom()) break;
      count += 1;
      waitersByClient.delete(client);
      const [job] = jobs;
      if (job === undefined) continue;
      jobs.delete(job);
      // Goes to the end, where the loop meets it again.
      if (jobs.size > 0) waitersByClient.set(client, jobs);
      job();
    }
  };

  const take = () => {
    if (!hasRoom() || waitersByClient.size > 0) return false;
    count += 1;
    plan();
    return true;
  };
  const wait = (client: ClientKey, job: () => void) => {
    waitersByClient.set(client, (waitersByClient.get(client) ?? new Set()).add(job));
    plan();
  };
  return {
    take,
    hasWaiting: () => waitersByClient.size > 0,
    wait,
    run: (client, job) => {
      if (take()) job();
      else wait(client, job);
    },
  };
};
