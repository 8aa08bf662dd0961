import type { HashedFor } from '../../core/accounts/ports.ts';
import { isImportedHash, readStored, type StoredHash, workOfHash } from './hash-cost.ts';
import type { Derive } from './hash-job.ts';
import { requiresPackage } from './imported/hash-package.ts';
import type { ImportedHash, ImportedHashScheme } from './imported/imported-hash.ts';
import type { PasswordHash } from './phc.ts';

const SALT_AND_KEY = { salt: new Uint8Array(16), key: new Uint8Array(32) };

const importedSample = (scheme: ImportedHashScheme): ImportedHash => ({ scheme, ...SALT_AND_KEY });

/** A sample hash of each algorithm, slow enough to be measured: some tens of milliseconds. */
const SAMPLES: readonly StoredHash[] = [
  { form: 'scrypt', cost: { ln: 14, r: 8, p: 1 }, ...SALT_AND_KEY } satisfies PasswordHash,
  importedSample({ kind: 'bcrypt', cost: 7 }),
  importedSample({ kind: 'argon2', type: 'id', memory: 16_384, passes: 1, lanes: 1 }),
  ...(['sha1', 'sha256', 'sha512'] as const).map((digest) =>
    importedSample({ kind: 'pbkdf2', digest, iterations: 20_000 }),
  ),
];

/** Runs of each sample. The shortest counts, since the first run includes the start-up time of the algorithm. */
const RUNS = 2;

const MEASUREMENT: HashedFor = { account: 'measurement', client: 'measurement' };

/** Hashes with the same name take a time that is proportional to their work. */
const algorithmOf = (stored: StoredHash): string => {
  if (!isImportedHash(stored)) return 'scrypt';
  const { scheme } = stored;
  return scheme.kind === 'pbkdf2' ? `pbkdf2-${scheme.digest}` : scheme.kind;
};

/**
 * Measures how long one sample of each algorithm takes. No factor between two algorithms holds on every machine, and
 * scrypt in plain JavaScript takes a multiple of what Node.js takes. Returns a function that estimates the milliseconds of
 * a hash: infinite if the hash is unreadable or its package is missing.
 */
export const makeMeasureVerification =
  ({ derive, isPackageInstalled }: { readonly derive: Derive; readonly isPackageInstalled: () => boolean }) =>
  async (): Promise<(hash: string) => number> => {
    /** Milliseconds for each block, the unit of `workOfHash`. */
    const measure = async (stored: StoredHash): Promise<number> => {
      const scheme = isImportedHash(stored)
        ? stored.scheme
        : ({ kind: 'scrypt', cost: stored.cost } as const);
      const { salt, key } = stored;
      const times: number[] = [];
      while (times.length < RUNS) {
        const job = { password: 'a password', salt, length: key.length, scheme, isMeasured: true };
        times.push((await derive(job, MEASUREMENT)).took);
      }
      return Math.min(...times) / workOfHash(stored);
    };

    const timePerBlock = new Map<string, number>();
    for (const sample of SAMPLES) {
      const needsPackage = isImportedHash(sample) && requiresPackage(sample);
      if (needsPackage && !isPackageInstalled()) continue;
      timePerBlock.set(algorithmOf(sample), await measure(sample));
    }

    return (hash) => {
      const stored = readStored(hash);
      const perBlock = stored === undefined ? undefined : timePerBlock.get(algorithmOf(stored));
      return stored === undefined || perBlock === undefined ? Infinity : perBlock * workOfHash(stored);
    };
  };
