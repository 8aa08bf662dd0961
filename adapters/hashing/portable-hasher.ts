import scryptJs from 'scrypt-js';
import type { PasswordHasher } from '../../core/accounts/ports.ts';
import type { Log, Random } from '../../core/ports.ts';
import type { Cost } from './phc.ts';
import { makeScryptHasher, type ScryptRun } from './scrypt-hasher.ts';
import { makeTurns } from './turns.ts';

export interface PortableHasherOptions {
  readonly cost: Cost;
  readonly random: Random;
  readonly log: Log;
  /** Hashes that may wait while one runs; 16. */
  readonly queue?: number;
  /** Milliseconds that each may wait; 2,000. */
  readonly maxWait?: number;
}

/** scrypt in plain JavaScript, which lets other work run every few milliseconds. */
export const derivePortably = ({ password, salt, cost: { ln, r, p }, length }: ScryptRun) =>
  scryptJs.scrypt(new TextEncoder().encode(password), salt, 2 ** ln, r, p, length);

/** For hosts without child processes. One hash at a time: several at once would end no earlier, and take more memory. */
export const makePortableHasher = (options: PortableHasherOptions): PasswordHasher => {
  const { cost, random, log, queue = 16, maxWait = 2_000 } = options;
  const turns = makeTurns({ lanes: 1, queue, maxWait });
  return makeScryptHasher({
    cost,
    derive: (job, who) =>
      turns.run(who, async () => {
        const key = await derivePortably(job);
        for (const cost of job.topUp) await derivePortably({ ...job, cost });
        return key;
      }),
    randomBytes: random.bytes,
    log,
  });
};
