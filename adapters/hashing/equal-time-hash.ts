import type { Derived } from './hash-job.ts';
import type { HashAnswer, HashRequest, ScryptOptions } from './runner-with-deadline.ts';

/** What differs between a process and a thread. */
export interface Means {
  scrypt(password: string, salt: Uint8Array, length: number, options: ScryptOptions): Uint8Array;
  /** Milliseconds of processor time that this program has used. */
  used(): number;
}

/** About two milliseconds: time is filled up in slices of this work. */
const SLICE: ScryptOptions = { N: 1_024, r: 8, p: 1, maxmem: 4 * 2 ** 20 };
const NO_SALT = new Uint8Array(16);

/** The weight of a new measurement in the moving average. */
const WEIGHT = 1 / 4;

const nameOf = ({ N, r, p }: ScryptOptions) => `${N},${r},${p}`;

/**
 * Runs a hash request. A hash of another cost or algorithm is followed by scrypt until it took as long as a standard hash, so
 * that the time of a sign-in does not reveal old or imported hashes. Processor time is measured, since no factor between two
 * algorithms or costs holds on every machine, and other programs change the wall-clock time.
 */
export const makeEqualTimeHash = ({ scrypt, used }: Means) => {
  /** The time of a standard hash, by its cost. */
  const times = new Map<string, number>();

  const runScrypt = (password: string, salt: Uint8Array, length: number, options: ScryptOptions): Derived => {
    const startedAt = used();
    const key = scrypt(password, salt, length, options);
    return { key, took: used() - startedAt };
  };

  const runStandard = (password: string, salt: Uint8Array, length: number, standard: ScryptOptions) => {
    const run = runScrypt(password, salt, length, standard);
    const before = times.get(nameOf(standard)) ?? run.took;
    times.set(nameOf(standard), before + (run.took - before) * WEIGHT);
    return run;
  };

  const timeOf = (standard: ScryptOptions): number => {
    const time = times.get(nameOf(standard));
    if (time !== undefined) return time;
    runStandard('', NO_SALT, NO_SALT.length, standard);
    return timeOf(standard);
  };

  const fillUp = (startedAt: number, duration: number): void => {
    let slice = 0;
    while (startedAt + duration - used() > slice / 2) {
      const before = used();
      scrypt('', NO_SALT, NO_SALT.length, SLICE);
      slice = used() - before;
    }
  };

  const runScheme = async (password: string, salt: Uint8Array, request: HashRequest): Promise<Derived> => {
    const { length, scheme } = request;
    if (scheme.kind === 'scrypt') return runScrypt(password, salt, length, scheme);
    const { deriveImportedHash } = await import('./imported/derive.ts');
    const startedAt = used();
    const key = await deriveImportedHash({ password, salt, length, scheme });
    return { key, took: used() - startedAt };
  };

  const derive = async (request: HashRequest): Promise<Derived> => {
    const { password, length, scheme, standard } = request;
    const salt = Buffer.from(request.salt, 'base64');
    if (standard === null) return runScheme(password, salt, request);
    if (scheme.kind === 'scrypt' && nameOf(scheme) === nameOf(standard))
      return runStandard(password, salt, length, standard);
    // Measured before the hash, so that the first measurement does not add to the time of this request.
    const duration = timeOf(standard);
    const startedAt = used();
    const run = await runScheme(password, salt, request);
    fillUp(startedAt, duration);
    return run;
  };

  return async (request: HashRequest): Promise<HashAnswer> => {
    const { key, took } = await derive(request);
    return { key: Buffer.from(key).toString('base64'), took };
  };
};
