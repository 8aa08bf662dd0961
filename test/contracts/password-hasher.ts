import { expect } from 'chai';
import fc from 'fast-check';
import type { PasswordHasher } from '../../core/accounts/ports.ts';
import { CoreError } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { makeRecordingLog } from '../support/recording-log.ts';
import { newHashOptions } from './samples.ts';

export interface HasherSetUp {
  readonly cost: { readonly ln: number; readonly r: number; readonly p: number };
  readonly log: Log;
  /** How many hashes may wait while one runs. */
  readonly queue: number;
}

// Hashes of another implementation (Python's hashlib.scrypt).
const PASSWORD = 'hunter2 zażółć 🔑';
const CURRENT = '$scrypt$ln=8,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$hLa9p2rbxhEUj4jSZdhs0It/IYTbkjT1TKUtxNy1HYI';
const OUTDATED = [
  '$scrypt$ln=7,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$bq5iVNbXc/7Lwk3jD02rpJlyE4nUBnD17SOnrG42buM',
  '$scrypt$ln=8,r=4,p=1$AAECAwQFBgcICQoLDA0ODw$28Y/P1A9g7mh8c9VkaKMoxDl6wMhpX1UoEHYnIsujj0',
  '$scrypt$ln=8,r=8,p=2$AAECAwQFBgcICQoLDA0ODw$ezCioKxJKiF9lJ91mYZGKOmlrpPMuQRDu+3gsWoF3b8',
  '$scrypt$ln=8,r=8,p=1$AAECAwQFBgcICQoL$nGT0OFM5ck8IKNeLmfjIlRAx8BkwdMXQf5QgF1BBT6o',
  '$scrypt$ln=8,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$hLa9p2rbxhEUj4jSZdhs0It/IYTbkjT1',
  // Another cost, and a longer salt and key.
  '$scrypt$ln=9,r=4,p=2$AAECAwQFBgcICQoLDA0ODxAREhMUFRYX$' +
    'ILCXxOjBUB7mp4OznVosVMPnT8uzQHbwzW2wGmBCEdSvC7h2sWDqlCJsHfXkgLsmat92gt1W/UMSqK5Dd2vgDQ',
];

/** The result for a wrong password. */
const WRONG = { isCorrect: false, isOutdated: false };

/** `make` returns a hasher that runs one hash at a time. */
export const testPasswordHasher = (
  name: string,
  make: (setup: HasherSetUp) => { readonly hasher: PasswordHasher; close(): Promise<void> },
): void => {
  describe(`PasswordHasher: ${name}`, () => {
    const log = makeRecordingLog();
    const setup: HasherSetUp = { cost: { ln: 8, r: 8, p: 1 }, log, queue: 1 };
    let opened: ReturnType<typeof make>;
    let hasher: PasswordHasher;
    before(() => {
      opened = make(setup);
      hasher = opened.hasher;
    });
    beforeEach(() => log.lines.splice(0));
    after(() => opened.close());

    it('verifies the password that it hashed, and no other', async () => {
      const hash = await hasher.hash('correct horse', newHashOptions());
      expect(await hasher.verify('correct horse', hash, newHashOptions())).to.deep.equal({
        isCorrect: true,
        isOutdated: false,
      });
      // No NUL at the end: HMAC pads its key with NUL bytes, so scrypt cannot distinguish them (RFC 2104 section 2).
      for (const other of ['', 'correct hors', 'correct horse ', 'Correct horse', '\0correct horse']) {
        expect(await hasher.verify(other, hash, newHashOptions())).to.deep.equal(WRONG);
      }
    });

    it('returns PHC strings with the cost, a salt of 16 bytes and a key of 32 bytes', async () => {
      expect(await hasher.hash('correct horse', newHashOptions())).to.match(
        /^\$scrypt\$ln=8,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
      );
    });

    it('hashes the same password differently each time', async () => {
      expect(await hasher.hash('correct horse', newHashOptions())).to.not.equal(
        await hasher.hash('correct horse', newHashOptions()),
      );
    });

    it('accepts any text as a password and truncates none', async () => {
      const password = fc.string({ unit: 'binary', maxLength: 300 });
      await fc.assert(
        fc.asyncProperty(password, async (text) => {
          const hash = await hasher.hash(text, newHashOptions());
          expect((await hasher.verify(text, hash, newHashOptions())).isCorrect).to.equal(true);
          expect((await hasher.verify(`${text}.`, hash, newHashOptions())).isCorrect).to.equal(false);
        }),
        { numRuns: 20 },
      );
      const long = `${'🔑'.repeat(4_999)}ab`;
      const hash = await hasher.hash(long, newHashOptions());
      expect((await hasher.verify(long, hash, newHashOptions())).isCorrect).to.equal(true);
      expect((await hasher.verify(`${'🔑'.repeat(4_999)}ac`, hash, newHashOptions())).isCorrect).to.equal(
        false,
      );
    });

    it('verifies a hash of another implementation', async () => {
      expect(await hasher.verify(PASSWORD, CURRENT, newHashOptions())).to.deep.equal({
        isCorrect: true,
        isOutdated: false,
      });
      expect((await hasher.verify('hunter2', CURRENT, newHashOptions())).isCorrect).to.equal(false);
    });

    it('verifies hashes of another cost or length, and reports them as outdated', async () => {
      for (const hash of OUTDATED) {
        expect(await hasher.verify(PASSWORD, hash, newHashOptions()), hash).to.deep.equal({
          isCorrect: true,
          isOutdated: true,
        });
        expect(await hasher.verify('hunter2', hash, newHashOptions()), hash).to.deep.equal({
          isCorrect: false,
          isOutdated: true,
        });
        expect(hasher.accepts(hash), hash).to.equal(true);
      }
    });

    it('reports which hashes are costlier than its own', () => {
      const [cheaper, half, double, salt, key, four] = OUTDATED.map((hash) => hasher.isCostlier(hash));
      expect([cheaper, half, salt, key, hasher.isCostlier(CURRENT)]).to.not.include(true);
      expect([double, four]).to.deep.equal([true, true]);
      for (const invalid of ['', 'not a hash', CURRENT.replace('ln=8', 'ln=19')])
        expect(hasher.isCostlier(invalid), invalid).to.equal(false);
    });

    it('estimates the time of a verification from a measurement', async function () {
      this.timeout(300_000);
      const timeOf = await hasher.measureVerification();
      const costing = (cost: string) => timeOf(CURRENT.replace('ln=8,r=8,p=1', cost));
      expect(timeOf(CURRENT)).to.be.within(0.01, 200);
      expect(costing('ln=16,r=8,p=2') / costing('ln=14,r=8,p=4')).to.be.closeTo(2, 0.01);
      expect(costing('ln=18,r=8,p=16')).to.be.greaterThan(2_000);
      expect(timeOf('not a hash')).to.equal(Number.POSITIVE_INFINITY);
    });

    it('rejects every password if there is no hash', async () => {
      expect(await hasher.verify('', null, newHashOptions())).to.deep.equal(WRONG);
      expect(await hasher.verify('correct horse', null, newHashOptions())).to.deep.equal(WRONG);
      expect(log.lines).to.deep.equal([]);
    });

    it('rejects every password and logs an error if the hash is unreadable or too costly', async () => {
      const costing = (cost: string) => CURRENT.replace('ln=8,r=8,p=1', cost);
      const cases = [
        ['', 'unreadable'],
        ['$6$AAECAwQFBgcICQoL$bq5iVNbXc/7Lwk3jD02rpJlyE4nUBnD17SOnrG42buM', 'unreadable'],
        [CURRENT.slice(0, -1), 'unreadable'],
        [costing('ln=18,r=9,p=1'), 'too_costly'],
        [costing('ln=19,r=8,p=1'), 'too_costly'],
        [costing('ln=999999999,r=8,p=1'), 'too_costly'],
        [costing('ln=8,r=8,p=17'), 'too_costly'],
        [costing('ln=16,r=1,p=1'), 'too_costly'],
        [costing('ln=1,r=65536,p=16'), 'too_costly'],
      ] as const;
      for (const [hash, reason] of cases) {
        expect(await hasher.verify(PASSWORD, hash, newHashOptions())).to.deep.equal(WRONG);
        expect(log.lines.splice(0)).to.deep.equal([
          { level: 'error', event: 'password.not_verifiable', fields: { reason } },
        ]);
        expect(hasher.accepts(hash), hash).to.equal(false);
      }
      expect(log.lines).to.deep.equal([]);
    });

    it('rejects a call with `busy` at once if the queue is full, and completes the others', async () => {
      const served = [
        hasher.hash('first', newHashOptions()),
        hasher.verify('second', null, newHashOptions()),
      ];
      const refusal = await hasher.hash('third', newHashOptions()).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(CoreError);
      expect(refusal).to.deep.include({ kind: 'unavailable', code: 'busy', facts: { retryAfter: 2 } });
      await Promise.all(served);
      expect(await hasher.hash('fourth', newHashOptions())).to.be.a('string');
    });

    it('interleaves other callers with the many calls of one account or of one client', async () => {
      const { hasher, close } = make({ ...setup, queue: 4 });
      const order: string[] = [];
      const verify = async (account: string, client: string) => {
        await hasher.verify('a password', null, { for: { account, client } });
        order.push(account);
      };
      const kinds: readonly ((place: number) => readonly [account: string, client: string])[] = [
        (place) => ['ada', `client ${place}`],
        (place) => [`account ${place}`, 'one'],
      ];
      for (const callOf of kinds) {
        const first = verify('first', 'nobody else');
        const many = [0, 1, 2, 3].map((place) => verify(...callOf(place)));
        const refusal = await verify(...callOf(4)).catch((error: unknown) => error);
        expect(refusal).to.be.instanceOf(CoreError);
        expect(refusal).to.deep.include({ kind: 'throttled', code: 'too_many_at_once' });
        expect(refusal).to.have.nested.property('facts.retryAfter').that.is.within(1, 3_600);
        const otherCalls = [verify('bob', 'two'), verify('cid', 'three')];
        await Promise.all([first, ...many, ...otherCalls]);
        const [before, ...then] = order.splice(0);
        expect(before).to.equal('first');
        expect(then.slice(1, 3)).to.deep.equal(['bob', 'cid']);
        expect(then).to.have.length(6);
      }
      await close();
    });

    it('throws a `RangeError` if it is made with a cost above its maximum', () => {
      expect(() => make({ ...setup, cost: { ln: 19, r: 8, p: 1 } })).to.throw(RangeError);
    });
  });
};
