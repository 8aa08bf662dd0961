/** A client's key, or an object that stands for the client, such as its socket. */
export type ClientKey = string | object;

export interface FairTurns {
  /** Takes a place in this turn for a job that the caller then runs. False if no place is free, or if other jobs wait. */
  take(): boolean;
  hasWaiting(): boolean;
  /** Runs the job in a later turn. */
  wait(client: ClientKey, job: () => void): void;
  /** Runs the job in this turn, or else in a later one. */
  run(client: ClientKey, job: () => void): void;
}

/** Whether a connection came in this turn of the event loop or in the one before. */
let isAccepting = false;
let acceptingEnd: NodeJS.Immediate | undefined;

/** Keeps this turn and the next short: Node.js accepts one connection in a turn, so 2,000 new clients need 2,000 turns. */
export const noteConnection = (): void => {
  isAccepting = true;
  clearImmediate(acceptingEnd);
  acceptingEnd = setImmediate(() => {
    acceptingEnd = setImmediate(() => {
      isAccepting = false;
    });
  });
};

/**
 * Runs at most `most` jobs in a turn of the event loop, or only one while new connections come, so that other work does not wait
 * long. Clients take turns: a client with many jobs delays only its own jobs.
 */
export const makeFairTurns = (most: number): FairTurns => {
  /** The waiting jobs of each client, the next client first. */
  const jobsByClient = new Map<ClientKey, Set<() => void>>();
  /** The number of places that are taken in this turn. */
  let takenPlaces = 0;
  let isPlanned = false;
  const hasRoom = () => takenPlaces < (isAccepting ? 1 : most);

  const planTurn = () => {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(beginTurn);
  };
  const beginTurn = () => {
    isPlanned = false;
    takenPlaces = 0;
    // Planned even if this turn does all jobs: only the next turn frees the places.
    if (jobsByClient.size > 0) planTurn();
    for (const [client, jobs] of jobsByClient) {
      if (!hasRoom()) break;
      takenPlaces += 1;
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
    takenPlaces += 1;
    planTurn();
    return true;
  };
  const wait = (client: ClientKey, job: () => void) => {
    jobsByClient.set(client, (jobsByClient.get(client) ?? new Set()).add(job));
    planTurn();
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
