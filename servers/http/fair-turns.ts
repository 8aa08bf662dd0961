/** A client's key, or an object that stands for a client, such as its socket. */
export type ClientKey = string | object;

export interface FairTurns {
  /** Takes a place for a job in this turn. False if there is none, or if other jobs wait. */
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

/** Keeps this turn and the next short: Node.js accepts one connection in a turn, so 2,000 new clients take 2,000 turns. */
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
 * Runs at most `most` jobs in a turn of the event loop, or one while connections come, so that all other work is soon done.
 * Clients take turns: a client with many jobs delays only its own jobs.
 */
export const makeFairTurns = (most: number): FairTurns => {
  /** The waiting jobs of each client, the next client first. */
  const jobsByClient = new Map<ClientKey, Set<() => void>>();
  /** The places taken in this turn. */
  let taken = 0;
  let isPlanned = false;
  const hasRoom = () => taken < (isAccepting ? 1 : most);

  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(begin);
  };
  const begin = () => {
    isPlanned = false;
    taken = 0;
    // The next turn is planned even if this one does all jobs: the places are free again only when it begins.
    if (jobsByClient.size > 0) plan();
    for (const [client, jobs] of jobsByClient) {
      if (!hasRoom()) break;
      taken += 1;
      jobsByClient.delete(client);
      const [job] = jobs;
      if (job === undefined) continue;
      jobs.delete(job);
      // The client goes to the end of the map, where this loop meets it again.
      if (jobs.size > 0) jobsByClient.set(client, jobs);
      job();
    }
  };

  const take = () => {
    if (!hasRoom() || jobsByClient.size > 0) return false;
    taken += 1;
    plan();
    return true;
  };
  const wait = (client: ClientKey, job: () => void) => {
    jobsByClient.set(client, (jobsByClient.get(client) ?? new Set()).add(job));
    plan();
  };
  return {
    take,
    hasWaiting: () => jobsByClient.size > 0,
    wait,
    run: (client, job) => {
      if (take()) job();
      else wait(client, job);
    },
  };
};
