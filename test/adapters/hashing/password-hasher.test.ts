import { scryptSync } from 'node:crypto';
import { expect } from 'chai';
import type { Derive } from '../../../adapters/hashing/hash-job.ts';
import { makePasswordHasher } from '../../../adapters/hashing/password-hasher.ts';
import { somebody } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { FOREIGN } from './imported-samples.ts';

describe('The work behind a password', () => {
  const cost = { ln: 8, r: 8, p: 1 };
  const runs: { cost: unknown; salt: number; length: number }[] = [];
  const derive: Derive = async (run) => {
    if (run.scheme.kind !== 'scrypt') throw new Error('No hash here is of another algorithm.');
    runs.push({ cost: { ...run.scheme.cost }, salt: run.salt.length, length: run.length });
    const { ln: log2, r, p } = run.scheme.cost;
    return { key: scryptSync(run.password, run.salt, run.length, { N: 2 ** log2, r, p }), took: 1 };
  };
  const randomBytes = (count: number) => new Uint8Array(count).fill(7);
  const needs = { cost, derive, randomBytes, isPackageInstalled: () => true, log: makeRecordingLog() };
  const hasher = makePasswordHasher(needs);
  const workOf = async (call: () => Promise<unknown>) => {
    runs.splice(0);
    await call();
    return runs.splice(0);
  };
  const ONE_HASH = [{ cost, salt: 16, length: 32 }];

  it('is that of one hash, whether the password is right, wrong, of nobody, or its hash cannot be read', async () => {
    const hash = await hasher.hash('correct horse', somebody());
    const tooCostly = hash.replace('ln=8', 'ln=20');
    for (const [password, stored] of [
      ['correct horse', hash],
      ['wrong horse', hash],
      ['correct horse', null],
      ['correct horse', 'not a hash'],
      ['correct horse', tooCostly],
    ] as const) {
      expect(await workOf(() => hasher.verify(password, stored, somebody()))).to.deep.equal(ONE_HASH);
    }
    expect(await workOf(() => hasher.hash('correct horse', somebody()))).to.deep.equal(ONE_HASH);
  });

  it('is called costly where it is that of more than four hashes', async () => {
    const costly: unknown[] = [];
    const watching = makePasswordHasher({
      ...needs,
      derive: async (job) => {
        costly.push(job.isCostly ?? false);
        return { key: new Uint8Array(job.length), took: 1 };
      },
    });
    const hashes = [
      '$scrypt$ln=8,r=8,p=4$AAECAwQFBgcICQoLDA0ODw$bq5iVNbXc/7Lwk3jD02rpJlyE4nUBnD17SOnrG42buM',
      '$scrypt$ln=8,r=8,p=5$AAECAwQFBgcICQoLDA0ODw$bq5iVNbXc/7Lwk3jD02rpJlyE4nUBnD17SOnrG42buM',
      FOREIGN.bcrypt.replace('$05$', '$04$'),
      FOREIGN.bcrypt.replace('$05$', '$06$'),
      FOREIGN.argon2id.replace('m=256,t=2', 'm=256,t=9'),
      null,
    ];
    for (const hash of hashes) await watching.verify('a password', hash, somebody());
    await watching.hash('a password', somebody());
    expect(costly).to.deep.equal([false, true, false, true, true, false, false]);
  });

  it('is what the stored hash asks for where that was made elsewhere', async () => {
    const hash = await makePasswordHasher({ ...needs, cost: { ln: 9, r: 4, p: 2 } }).hash(
      'correct horse',
      somebody(),
    );
    expect(await workOf(() => hasher.verify('correct horse', hash, somebody()))).to.deep.equal([
      { cost: { ln: 9, r: 4, p: 2 }, salt: 16, length: 32 },
    ]);
  });
});
