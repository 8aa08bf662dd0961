import { expect } from 'chai';
import fc from 'fast-check';
import { startChildProcessRunner } from '../../../adapters/hashing/child-process-runner.ts';
import { type HashPool, makeHashPool } from '../../../adapters/hashing/hash-pool.ts';
import { startWorkerThreadRunner } from '../../../adapters/hashing/worker-thread-runner.ts';
import { newHashOptions } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { IMPORTED_HASHES, PASSWORD } from './imported-samples.ts';

const cost = { ln: 8, r: 8, p: 1 };

for (const [name, start] of [
  ['child process', startChildProcessRunner],
  ['thread', startWorkerThreadRunner],
] as const) {
  describe(`An imported hash, verified in a ${name}`, () => {
    const log = makeRecordingLog();
    let pool: HashPool;
    before(() => {
      pool = makeHashPool({ cost, log, workers: 1, start });
    });
    after(() => pool.close());

    for (const [kind, hash] of Object.entries(IMPORTED_HASHES)) {
      it(`matches only its password and is outdated: ${kind}`, async () => {
        expect(pool.accepts(hash)).to.equal(true);
        const verify = (password: string) => pool.verify(password, hash, newHashOptions());
        expect(await verify(PASSWORD)).to.deep.equal({ isCorrect: true, isOutdated: true });
        for (const password of ['', `${PASSWORD} `])
          expect(await verify(password), password).to.deep.equal({ isCorrect: false, isOutdated: true });
        expect(log.lines).to.deep.equal([]);
      });
    }

    it('is compared with the password as typed, not in NFKC form', async () => {
      const verify = (password: string, typed: string) =>
        pool.verify(password, IMPORTED_HASHES.bcrypt, { ...newHashOptions(), typed });
      expect(await verify('something else', PASSWORD)).to.include({ isCorrect: true });
      expect(await verify(PASSWORD, 'something else')).to.include({ isCorrect: false });
    });

    it('has a time estimate measured with its own algorithm', async () => {
      const timeOf = await pool.measureVerification();
      const { bcrypt, argon2id, pbkdf2Sha512 } = IMPORTED_HASHES;
      const costly = [
        { cheap: bcrypt, hash: bcrypt.replace('$05$', '$17$'), factor: 2 ** 12 },
        {
          cheap: argon2id,
          hash: argon2id.replace('m=256,t=2', 'm=262144,t=24'),
          factor: (262_144 * 24) / (256 * 2),
        },
        { cheap: pbkdf2Sha512, hash: pbkdf2Sha512.replace('i=1000', 'i=16000000'), factor: 16_000 },
      ];
      for (const { cheap, hash, factor } of costly) {
        expect(timeOf(hash), hash).to.be.above(1_500);
        expect(timeOf(hash) / timeOf(cheap), hash).to.be.closeTo(factor, factor / 100);
      }
      for (const [kind, hash] of Object.entries(IMPORTED_HASHES))
        expect(timeOf(hash), kind).to.be.within(0.001, Number.MAX_VALUE);
    });

    it('covers only the first 72 bytes if made by bcrypt', async () => {
      // Made with bcryptjs 3 from 80 times the letter a.
      const hash = '$2b$04$......................UaUp2CqHXn14N7RprrzoDsNv91ahi36';
      const matches = async (password: string) =>
        (await pool.verify(password, hash, newHashOptions())).isCorrect;
      expect(await matches('a'.repeat(80))).to.equal(true);
      expect(await matches('a'.repeat(71))).to.equal(false);
    });
  });
}

describe('An imported hash', () => {
  const log = makeRecordingLog();
  const make = (isPackageInstalled = () => true) =>
    makeHashPool({ cost: { ln: 15, r: 8, p: 3 }, log, isPackageInstalled });
  beforeEach(() => log.lines.splice(0));

  const refused: readonly (readonly [string, string])[] = [
    ['bcrypt of cost 18', IMPORTED_HASHES.bcrypt.replace('$05$', '$18$')],
    ['bcrypt of cost 3', IMPORTED_HASHES.bcrypt.replace('$05$', '$03$')],
    ['bcrypt of the flawed version 2x', IMPORTED_HASHES.bcrypt.replace('$2b$', '$2x$')],
    ['truncated bcrypt', IMPORTED_HASHES.bcrypt.slice(0, -1)],
    ['Argon2 with more than 256 MiB', IMPORTED_HASHES.argon2id.replace('m=256', 'm=262145')],
    ['Argon2 with more than 16 lanes', IMPORTED_HASHES.argon2id.replace('p=2', 'p=17')],
    ['Argon2 with less than 8 blocks for a lane', IMPORTED_HASHES.argon2id.replace('m=256', 'm=15')],
    ['Argon2 with too many passes', IMPORTED_HASHES.argon2id.replace('m=256,t=2', 'm=65536,t=200')],
    ['Argon2 of another version', IMPORTED_HASHES.argon2id.replace('v=19', 'v=16')],
    ['Argon2 without passes', IMPORTED_HASHES.argon2id.replace('t=2', 't=0')],
    ['PBKDF2 with too many iterations', IMPORTED_HASHES.pbkdf2Sha512.replace('i=1000', 'i=99999999')],
    ['PBKDF2 without iterations', IMPORTED_HASHES.pbkdf2Sha256.replace('i=1000', 'i=0')],
    ['PBKDF2 with an unknown digest', IMPORTED_HASHES.pbkdf2Sha256.replace('sha256', 'md5')],
    ['PBKDF2 with a short key', IMPORTED_HASHES.pbkdf2Sha256.slice(0, 60)],
    ['too costly scrypt of Firebase', IMPORTED_HASHES.firebase.replace('ln=14', 'ln=19')],
  ];
  for (const [label, hash] of refused) {
    it(`is not accepted: ${label}`, () => {
      expect(make().accepts(hash)).to.equal(false);
      expect(make().isCostlier(hash)).to.equal(false);
    });
  }

  it('counts as costlier than a standard hash if it takes longer', () => {
    const { isCostlier } = make();
    for (const hash of Object.values(IMPORTED_HASHES)) expect(isCostlier(hash), hash).to.equal(false);
    expect(isCostlier(IMPORTED_HASHES.bcrypt.replace('$05$', '$13$'))).to.equal(true);
    expect(isCostlier(IMPORTED_HASHES.argon2id.replace('m=256,t=2', 'm=131072,t=3'))).to.equal(true);
    expect(isCostlier(IMPORTED_HASHES.pbkdf2Sha512.replace('i=1000', 'i=1000000'))).to.equal(true);
  });

  it('cannot be verified while its package is missing, and the log names the package', async () => {
    const pool = make(() => false);
    for (const hash of [IMPORTED_HASHES.bcrypt, IMPORTED_HASHES.argon2id]) {
      const refusal = await pool.verify(PASSWORD, hash, newHashOptions()).catch((error: unknown) => error);
      expect(refusal).to.deep.include({ kind: 'unavailable', code: 'hashing_failed' });
      expect(log.lines.splice(0)).to.deep.equal([
        {
          level: 'error',
          event: 'password.package_missing',
          fields: { reason: 'npm install --save-prod hash-wasm' },
        },
      ]);
      expect(() => pool.accepts(hash)).to.throw(/not installed \(npm install --save-prod hash-wasm\)\.$/);
    }
    expect(pool.accepts(IMPORTED_HASHES.pbkdf2Sha256)).to.equal(true);
    expect(pool.accepts(IMPORTED_HASHES.firebase)).to.equal(true);
    await pool.close();
  });

  it('is accepted or refused for any text, without an exception', () => {
    const { accepts } = make();
    const piece = fc.oneof(
      fc.constantFrom(
        '$',
        '2b',
        '10',
        'argon2id',
        'v=19',
        'm=64,t=1,p=1',
        'pbkdf2-sha256',
        'i=1',
        'AAAAAAAAAAAA',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        expect(accepts(pieces.join(''))).to.be.a('boolean');
      }),
    );
  });
});
