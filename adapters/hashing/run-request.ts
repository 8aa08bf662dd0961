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
 * Does what a request asks. A hash of another cost or algorithm is followed by scrypt for as long as a hash of ours takes,
 * since the time of a login would tell that its hash is an old one or came from elsewhere. Processor time is measured: no
 * factor between two algorithms, or two costs, holds on every machine, and other programs change the time of the clock.
 */
export const makeRunRequest = ({ scrypt, used }: Means) => {
  /** The time of a hash of ours, by its cost. */
  const times = new Map<string, number>();

  const runStandard = (password: string, salt: Uint8Array, length: number, standard: ScryptOptions) => {
    const begun = used();
    const key = scrypt(password, salt, length, standard);
    const took = used() - begun;
    const before = times.get(nameOf(standard)) ?? took;
    times.set(nameOf(standard), before + (took - before) * WEIGHT);
    return key;
  };

  const timeOf = (standard: ScryptOptions): number => {
    const known = times.get(nameOf(standard));
    if (known !== undefined) return known;
    runStandard('', NO_SALT, NO_SALT.length, standard);
    return timeOf(standard);
  };

  const fillUp = (begun: number, whole: number): void => {
    let slice = 0;
    while (begun + whole - used() > slice / 2) {
      const before = used();
      scrypt('', NO_SALT, NO_SALT.length, SLICE);
      slice = used() - before;
    }
  };

  const derive = async ({
    password,
    length,
    scheme,
    standard,
    ...given
  }: HashRequest): Promise<Uint8Array> => {
    const salt = Buffer.from(given.salt, 'base64');
    if (scheme.kind === 'scrypt' && nameOf(scheme) === nameOf(standard))
      return runStandard(password, salt, length, standard);
    // Before the hash, so that a program that knows no time yet does not add the measurement to it.
    const whole = timeOf(standard);
    if (scheme.kind === 'scrypt') {
      const begun = used();
      const key = scrypt(password, salt, length, scheme);
      fillUp(begun, whole);
      return key;
    }
    const { deriveForeign } = await import('./foreign/derive.ts');
    const begun = used();
    const key = await deriveForeign({ password, salt, length, scheme });
    fillUp(begun, whole);
    return key;
  };

  /** The key in Base64. */
  return async (request: HashRequest): Promise<string> =>
    Buffer.from(await derive(request)).toString('base64');
};
