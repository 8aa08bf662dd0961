import type { Derived } from './hash-job.ts';
import type { HashAnswer, HashRequest, ScryptOptions } from './runner-with-deadline.ts';

/** How this process or thread runs scrypt and measures its time. */
export interface HashEngine {
  scrypt(password: string, salt: Uint8Array, length: number, options: ScryptOptions): Uint8Array;
  /** Milliseconds of processor time that this program has used; in a thread, which cannot read it, elapsed time. */
  usedTime(): number;
}

/** About two milliseconds: time is filled up in slices of this work. */
const SLICE: ScryptOptions = { N: 1_024, r: 8, p: 1, maxmem: 4 * 2 ** 20 };
const NO_SALT = new Uint8Array(16);

/** The weight of a new measurement in the moving average. */
const WEIGHT = 1 / 4;

const costKey = ({ N, r, p }: ScryptOptions) => `${N},${r},${p}`;

/**
 * Runs a hash request. A hash of another cost or algorithm is followed by scrypt until it took as long as a standard hash, so
 * that the time of a sign-in does not reveal old or imported hashes. Processor time is measured, since no factor between two
 * algorithms or costs holds on every machine, and other programs change the wall-clock time.
 */
export const makeEqualTimeHash = ({ scrypt, usedTime }: HashEngine) => {
  /** The average time of a standard hash, by its cost. */
  const times = new Map<string, number>();

  const runScrypt = (password: string, salt: Uint8Array, length: number, options: ScryptOptions): Derived => {
    const startedAt = usedTime();
    const key = scrypt(password, salt, length, options);
    return { key, took: usedTime() - startedAt };
  };

  const runStandard = (password: string, salt: Uint8Array, length: number, standard: ScryptOptions) => {
    const run = runScrypt(password, salt, length, standard);
    const average = times.get(costKey(standard)) ?? run.took;
    times.set(costKey(standard), average + (run.took - average) * WEIGHT);
    return run;
  };

  /** The average time of a standard hash, which is first measured if none has run yet. */
  const timeOf = (standard: ScryptOptions): number =>
    times.get(costKey(standard)) ?? runStandard('', NO_SALT, NO_SALT.length, standard).took;

  const fillUp = (startedAt: number, duration: number): void => {
    const remaining = () => startedAt + duration - usedTime();
    let sliceTime = 0;
    // Ends as close to the duration as whole slices allow.
    while (remaining() > sliceTime / 2) {
      const before = usedTime();
      scrypt('', NO_SALT, NO_SALT.length, SLICE);
      sliceTime = usedTime() - before;
    }
  };

  const runScheme = async (password: string, salt: Uint8Array, request: HashRequest): Promise<Derived> => {
    const { length, scheme } = request;
    if (scheme.kind === 'scrypt') return runScrypt(password, salt, length, scheme);
    const { deriveImportedHash } = await import('./imported/derive.ts');
    const startedAt = usedTime();
    const key = await deriveImportedHash({ password, salt, length, scheme });
    return { key, took: usedTime() - startedAt };
  };

  const derive = async (request: HashRequest): Promise<Derived> => {
    const { password, length, scheme, standard } = request;
    const salt = Buffer.from(request.salt, 'base64');
    // The request only measures this cost or algorithm.
    if (standard === null) return runScheme(password, salt, request);
    if (scheme.kind === 'scrypt' && costKey(scheme) === costKey(standard))
      return runStandard(password, salt, length, standard);
    // Before `startedAt`, so that a first measurement of the standard hash does not count as time of this hash.
    const duration = timeOf(standard);
    const startedAt = usedTime();
    const run = await runScheme(password, salt, request);
    fillUp(startedAt, duration);
    return run;
  };

  return async (request: HashRequest): Promise<HashAnswer> => {
    const { key, took } = await derive(request);
    return { key: Buffer.from(key).toString('base64'), took };
  };
};
