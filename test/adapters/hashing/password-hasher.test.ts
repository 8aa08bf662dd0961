import { scryptSync } from 'node:crypto';
import { expect } from 'chai';
import type { Derive } from '../../../adapters/hashing/hash-job.ts';
import { makePasswordHasher } from '../../../adapters/hashing/password-hasher.ts';
import { newHashOptions } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { IMPORTED_HASHES } from './imported-samples.ts';

describe('The work of a password check', () => {
  const cost = { ln: 8, r: 8, p: 1 };
  const runs: { cost: unknown; salt: number; length: number }[] = [];
  const derive: Derive = async (run) => {
    if (run.scheme.kind !== 'scrypt') throw new Error('These tests use only scrypt.');
    runs.push({ cost: { ...run.scheme.cost }, salt: run.salt.length, length: run.length });
    const { ln: log2, r, p } = run.scheme.cost;
    return { key: scryptSync(run.password, run.salt, run.length, { N: 2 ** log2, r, p }), took: 1 };
  };
  const randomBytes = (count: number) => new Uint8Array(count).fill(7);
  const deps = { cost, derive, randomBytes, isPackageInstalled: () => true, log: makeRecordingLog() };
  const hasher = makePasswordHasher(deps);
  const workOf = async (call: () => Promise<unknown>) => {
    runs.splice(0);
    await call();
    return runs.splice(0);
  };
  const ONE_HASH = [{ cost, salt: 16, length: 32 }];

  it('is one hash for a right or wrong password, a missing account or an unreadable hash', async () => {
    const hash = await hasher.hash('correct horse', newHashOptions());
    const tooCostly = hash.replace('ln=8', 'ln=20');
    for (const [password, stored] of [
      ['correct horse', hash],
      ['wrong horse', hash],
      ['correct horse', null],
      ['correct horse', 'not a hash'],
      ['correct horse', tooCostly],
    ] as const) {
      expect(await workOf(() => hasher.verify(password, stored, newHashOptions()))).to.deep.equal(ONE_HASH);
    }
    expect(await workOf(() => hasher.hash('correct horse', newHashOptions()))).to.deep.equal(ONE_HASH);
  });

  it('counts as costly if it exceeds four standard hashes', async () => {
    const costly: unknown[] = [];
    const recordingHasher = makePasswordHasher({
      ...deps,
      derive: async (job) => {
        costly.push(job.isCostly ?? false);
        return { key: new Uint8Array(job.length), took: 1 };
      },
    });
    const hashes = [
      '$scrypt$ln=8,r=8,p=4$AAECAwQFBgcICQoLDA0ODw$bq5iVNbXc/7Lwk3jD02rpJlyE4nUBnD17SOnrG42buM',
      '$scrypt$ln=8,r=8,p=5$AAECAwQFBgcICQoLDA0ODw$bq5iVNbXc/7Lwk3jD02rpJlyE4nUBnD17SOnrG42buM',
      IMPORTED_HASHES.bcrypt.replace('$05$', '$04$'),
      IMPORTED_HASHES.bcrypt.replace('$05$', '$06$'),
      IMPORTED_HASHES.argon2id.replace('m=256,t=2', 'm=256,t=9'),
      null,
    ];
    for (const hash of hashes) await recordingHasher.verify('a password', hash, newHashOptions());
    await recordingHasher.hash('a password', newHashOptions());
    expect(costly).to.deep.equal([false, true, false, true, true, false, false]);
  });

  it('has the cost of the stored hash if that differs from the standard', async () => {
    const hash = await makePasswordHasher({ ...deps, cost: { ln: 9, r: 4, p: 2 } }).hash(
      'correct horse',
      newHashOptions(),
    );
    expect(await workOf(() => hasher.verify('correct horse', hash, newHashOptions()))).to.deep.equal([
      { cost: { ln: 9, r: 4, p: 2 }, salt: 16, length: 32 },
    ]);
  });
});
