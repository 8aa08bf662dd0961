import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { HashedFor, PasswordHasher } from '../../core/accounts/ports.ts';
import { CoreError, unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { memoryLimit } from './cost.ts';
import { makeFairQueue, type QueueStats } from './fair-queue.ts';
import { isPackageInstalled as lookUpPackage } from './foreign/package.ts';
import { startHashChild } from './hash-child.ts';
import type { HashRequest, HashRunner, StartHashRunner } from './hash-runner.ts';
import { type Derive, type HashJob, makePasswordHasher } from './password-hasher.ts';
import type { Cost } from './phc.ts';

export interface HashPoolOptions {
  readonly cost: Cost;
  readonly log: Log;
  /** What hashes: `startHashChild` when not given, or `startHashThread`. */
  readonly start?: StartHashRunner;
  /** Hashes at once, each in a process or thread of its own; as many as there are cores when not given. */
  readonly workers?: number;
  /** Jobs that may wait; 16. */
  readonly queue?: number;
  /** Milliseconds that each may wait; 2,000. */
  readonly maxWait?: number;
  /** Milliseconds for one hash, after which its runner is replaced; 60,000, several times what the costliest takes. */
  readonly deadline?: number;
  /**
   * Told of each hash, milliseconds that it waited and took; undefined: one was refused since too many waited. That an
   * account or client had too many of them is no news of the queue.
   */
  readonly hashed?:
    | ((times: { readonly waited: number; readonly took: number } | undefined) => void)
    | undefined;
  /** Of child processes, 0 to 19; 10. */
  readonly niceness?: number;
  /** Whether the package for bcrypt and Argon2 is there; looked up when not given. */
  readonly isPackageInstalled?: () => boolean;
}

export interface HashPool extends PasswordHasher {
  /** Starts a first runner beforehand, so that the first password need not wait for that. */
  start(): void;
  /** Refuses what waits, lets what runs end, then ends the runners. */
  close(): Promise<void>;
  stats(): QueueStats;
}

const optionsOf = (cost: Cost) => ({ N: 2 ** cost.ln, r: cost.r, p: cost.p, maxmem: memoryLimit(cost) });

/**
 * Hashes in child processes of low priority: a hash takes a fifth of a second and 32 MiB, which would hold up every
 * other request here, and in libuv's pool every file and name look-up. Children are started when needed and kept. Where
 * `start` says so, threads take their place.
 */
export const makeHashPool = (options: HashPoolOptions): HashPool => {
  const { cost, log, workers = availableParallelism(), queue = 16, maxWait = 2_000 } = options;
  const { deadline = 60_000, niceness = 10, hashed, start = startHashChild } = options;
  const { isPackageInstalled = lookUpPackage } = options;
  const fairQueue = makeFairQueue({ lanes: workers, queue, maxWait });
  const runners = new Set<HashRunner>();
  const idle: HashRunner[] = [];
  let closed = false;

  const begin = (): HashRunner => {
    const onGone = (reason: string) => {
      runners.delete(runner);
      if (idle.includes(runner)) idle.splice(idle.indexOf(runner), 1);
      if (!closed) log.warn('hashing.child_died', { reason });
    };
    const runner = start({ niceness, deadline, onGone });
    runners.add(runner);
    return runner;
  };

  const attempt = async (runner: HashRunner, request: HashRequest) => {
    const key = await runner.derive(request);
    if (key !== undefined) idle.push(runner);
    return key;
  };

  const timed = async <T>(who: HashedFor, hash: () => Promise<T>): Promise<T> => {
    const asked = performance.now();
    let begun: number | undefined;
    try {
      return await fairQueue.run(who, () => {
        begun = performance.now();
        return hash();
      });
    } catch (error) {
      const isFull = begun === undefined && error instanceof CoreError && error.kind === 'unavailable';
      if (isFull) hashed?.(undefined);
      throw error;
    } finally {
      if (begun !== undefined) hashed?.({ waited: begun - asked, took: performance.now() - begun });
    }
  };

  const requestOf = ({ password, salt, length, scheme }: HashJob): HashRequest => ({
    password,
    salt: Buffer.from(salt).toString('base64'),
    length,
    scheme: scheme.kind === 'scrypt' ? { kind: scheme.kind, ...optionsOf(scheme.cost) } : scheme,
    standard: optionsOf(cost),
  });

  const derive: Derive = (job, who) => {
    const request = requestOf(job);
    return timed(who, async () => {
      const key = (await attempt(idle.pop() ?? begin(), request)) ?? (await attempt(begin(), request));
      if (key === undefined)
        throw unavailable('hashing_failed', 'Passwords cannot be checked now; try again.', 2);
      return key;
    });
  };

  return {
    ...makePasswordHasher({ cost, derive, randomBytes, isPackageInstalled, log }),
    start: () => {
      if (!closed && runners.size === 0) idle.push(begin());
    },
    close: async () => {
      closed = true;
      await fairQueue.close();
      await Promise.all([...runners].map((runner) => runner.end()));
    },
    stats: fairQueue.stats,
  };
};
