import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { HashedFor, PasswordHasher } from '../../core/accounts/ports.ts';
import { CoreError, unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { startChildProcessRunner } from './child-process-runner.ts';
import { makeFairQueue, type QueueStats } from './fair-queue.ts';
import { memoryLimit } from './hash-cost.ts';
import type { Derive, HashJob } from './hash-job.ts';
import { isPackageInstalled as lookUpPackage } from './imported/hash-package.ts';
import { makePasswordHasher } from './password-hasher.ts';
import type { Cost } from './phc.ts';
import type { HashRequest, HashRunner, StartHashRunner } from './runner-with-deadline.ts';

export interface HashPoolOptions {
  readonly cost: Cost;
  readonly log: Log;
  /** Starts a runner: `startChildProcessRunner` by default, or `startWorkerThreadRunner`. */
  readonly start?: StartHashRunner;
  /**
   * Hashes at once, each in its own process or thread; by default one for each core. Only one costly hash runs at a time;
   * with a single worker it gets an additional process or thread.
   */
  readonly workers?: number;
  /** Jobs that may wait; 16 by default. */
  readonly queue?: number;
  /** Milliseconds that each job may wait; 2,000 by default. */
  readonly maxWait?: number;
  /** Milliseconds for one hash, after which its runner is replaced; 60,000 by default, several times the costliest hash. */
  readonly deadline?: number;
  /**
   * Called for each hash with the milliseconds that it waited and took; with undefined if the queue rejected a hash. Not
   * called when a single account or client has too many hashes, which says nothing about the queue.
   */
  readonly hashed?:
    | ((times: { readonly waited: number; readonly took: number } | undefined) => void)
    | undefined;
  /** The niceness of child processes, 0 to 19; 10 by default. */
  readonly niceness?: number;
  /** Whether the package for bcrypt and Argon2 is installed; looked up by default. */
  readonly isPackageInstalled?: () => boolean;
}

export interface HashPool extends PasswordHasher {
  /** Starts a first runner early, so that the first password need not wait for its start. */
  start(): void;
  /** Rejects waiting jobs, waits for running jobs, then ends the runners. */
  close(): Promise<void>;
  stats(): QueueStats;
}

const optionsOf = (cost: Cost) => ({ N: 2 ** cost.ln, r: cost.r, p: cost.p, maxmem: memoryLimit(cost) });

/**
 * Hashes in child processes of low priority: a hash takes a fifth of a second and 32 MiB. In this thread it would block all
 * other requests, and in libuv's pool every file access and name look-up. Children are started on demand and reused. The
 * option `start` may run threads in their place.
 */
export const makeHashPool = (options: HashPoolOptions): HashPool => {
  const { cost, log, workers = availableParallelism(), queue = 16, maxWait = 2_000 } = options;
  const { deadline = 60_000, niceness = 10, hashed, start = startChildProcessRunner } = options;
  const { isPackageInstalled = lookUpPackage } = options;
  const fairQueue = makeFairQueue({ lanes: workers, queue, maxWait });
  const runners = new Set<HashRunner>();
  const idle: HashRunner[] = [];
  let closed = false;

  const startRunner = (): HashRunner => {
    const onGone = (reason: string) => {
      runners.delete(runner);
      if (idle.includes(runner)) idle.splice(idle.indexOf(runner), 1);
      if (!closed) log.warn('hashing.child_died', { reason });
    };
    const runner = start({ niceness, deadline, onGone });
    runners.add(runner);
    return runner;
  };

  const deriveOn = async (runner: HashRunner, request: HashRequest) => {
    const answer = await runner.derive(request);
    if (answer !== undefined) idle.push(runner);
    return answer;
  };

  const runTimed = async <T>(hashedFor: HashedFor, hash: () => Promise<T>, isCostly: boolean): Promise<T> => {
    const queuedAt = performance.now();
    let startedAt: number | undefined;
    try {
      const task = () => {
        startedAt = performance.now();
        return hash();
      };
      return await fairQueue.run(hashedFor, task, isCostly);
    } catch (error) {
      const isRefused = startedAt === undefined && error instanceof CoreError && error.kind === 'unavailable';
      if (isRefused) hashed?.(undefined);
      throw error;
    } finally {
      if (startedAt !== undefined)
        hashed?.({ waited: startedAt - queuedAt, took: performance.now() - startedAt });
    }
  };

  const requestOf = ({ password, salt, length, scheme, isMeasured }: HashJob): HashRequest => ({
    password,
    salt: Buffer.from(salt).toString('base64'),
    length,
    scheme: scheme.kind === 'scrypt' ? { kind: scheme.kind, ...optionsOf(scheme.cost) } : scheme,
    // Every hash takes at least as long as this one, unless its own time is to be measured.
    standard: isMeasured ? null : optionsOf(cost),
  });

  const derive: Derive = (job, hashedFor) => {
    const request = requestOf(job);
    const hash = async () => {
      // A second attempt in a new runner if the first runner died.
      const answer =
        (await deriveOn(idle.pop() ?? startRunner(), request)) ?? (await deriveOn(startRunner(), request));
      if (answer === undefined)
        throw unavailable('hashing_failed', 'Passwords cannot be checked now; try again.', 2);
      return { key: Buffer.from(answer.key, 'base64'), took: answer.took };
    };
    return runTimed(hashedFor, hash, job.isCostly ?? false);
  };

  return {
    ...makePasswordHasher({ cost, derive, randomBytes, isPackageInstalled, log }),
    start: () => {
      if (!closed && runners.size === 0) idle.push(startRunner());
    },
    close: async () => {
      closed = true;
      await fairQueue.close();
      await Promise.all([...runners].map((runner) => runner.end()));
    },
    stats: fairQueue.stats,
  };
};
