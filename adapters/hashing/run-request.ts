import type { HashRequest, ScryptOptions } from './hash-runner.ts';

/** What differs between a process and a thread. */
export interface Means {
  scrypt(password: string, salt: Uint8Array, length: number, options: ScryptOptions): Uint8Array;
  /** Milliseconds of processor time that this program has used. */
  used(): number;
}

/** Some two milliseconds: time is filled up to the nearest such slice. */
const SLICE: ScryptOptions = { N: 1_024, r: 8, p: 1, maxmem: 4 * 2 ** 20 };
const NO_SALT = new Uint8Array(16);

/** How much a new measurement counts beside the earlier ones. */
const WEIGHT = 1 / 4;

const nameOf = ({ N, r, p }: ScryptOptions) => `${N},${r},${p}`;

/**
 * Does what a request asks. Another product's algorithm is followed by scrypt for as long as a hash of ours takes, since
 * the time of a login would tell whose hash came from elsewhere. Processor time is measured, as no factor between two
 * algorithms holds on every machine, and other programs beside it change the time of the clock.
 */
export const makeRunRequest = ({ scrypt, used }: Means) => {
  /** The time of one run at each cost that was seen. */
  const times = new Map<string, number>();

  const run = (password: string, salt: Uint8Array, length: number, options: ScryptOptions) => {
    const begun = used();
    const key = scrypt(password, salt, length, options);
    const took = used() - begun;
    const before = times.get(nameOf(options)) ?? took;
    times.set(nameOf(options), before + (took - before) * WEIGHT);
    return key;
  };

  const timeOf = (options: ScryptOptions): number => {
    const known = times.get(nameOf(options));
    if (known !== undefined) return known;
    run('', NO_SALT, NO_SALT.length, options);
    return timeOf(options);
  };

  const fillUp = (begun: number, whole: number): void => {
    let slice = 0;
    while (begun + whole - used() > slice / 2) {
      const before = used();
      scrypt('', NO_SALT, NO_SALT.length, SLICE);
      slice = used() - before;
    }
  };

  /** The key in Base64. */
  return async (request: HashRequest): Promise<string> => {
    const { password, length } = request;
    const salt = Buffer.from(request.salt, 'base64');
    if ('runs' in request) {
      const keys = request.runs.map((options) => run(password, salt, length, options));
      return Buffer.from(keys[0] ?? []).toString('base64');
    }
    // Before the other algorithm, so that a program that knows no time yet does not add the measurement to it.
    const whole = timeOf(request.standard);
    const { deriveForeign } = await import('./foreign/derive.ts');
    const begun = used();
    const key = await deriveForeign({ password, salt, length, scheme: request.scheme });
    fillUp(begun, whole);
    return Buffer.from(key).toString('base64');
  };
};
