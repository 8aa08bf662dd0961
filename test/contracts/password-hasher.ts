import { expect } from 'chai';
import fc from 'fast-check';
import type { PasswordHasher } from '../../core/accounts/ports.ts';
import { CoreError } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { makeRecordingLog } from '../support/recording-log.ts';
import { somebody } from './samples.ts';

export interface HasherSetUp {
  readonly cost: { readonly ln: number; readonly r: number; readonly p: number };
  readonly log: Log;
  /** How many may wait while one runs. */
  readonly queue: number;
}

// Made with another implementation (Python's hashlib.scrypt).
const PASSWORD = 'hunter2 zażółć 🔑';
const OURS = '$scrypt$ln=8,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$hLa9p2rbxhEUj4jSZdhs0It/IYTbkjT1TKUtxNy1HYI';
const FOREIGN = [
  '$scrypt$ln=7,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$bq5iVNbXc/7Lwk3jD02rpJlyE4nUBnD17SOnrG42buM',
  '$scrypt$ln=8,r=4,p=1$AAECAwQFBgcICQoLDA0ODw$28Y/P1A9g7mh8c9VkaKMoxDl6wMhpX1UoEHYnIsujj0',
  '$scrypt$ln=8,r=8,p=2$AAECAwQFBgcICQoLDA0ODw$ezCioKxJKiF9lJ91mYZGKOmlrpPMuQRDu+3gsWoF3b8',
  '$scrypt$ln=8,r=8,p=1$AAECAwQFBgcICQoL$nGT0OFM5ck8IKNeLmfjIlRAx8BkwdMXQf5QgF1BBT6o',
  '$scrypt$ln=8,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$hLa9p2rbxhEUj4jSZdhs0It/IYTbkjT1',
  // Both, and more of each than ours has.
  '$scrypt$ln=9,r=4,p=2$AAECAwQFBgcICQoLDA0ODxAREhMUFRYX$' +
    'ILCXxOjBUB7mp4OznVosVMPnT8uzQHbwzW2wGmBCEdSvC7h2sWDqlCJsHfXkgLsmat92gt1W/UMSqK5Dd2vgDQ',
];

/** Answers about a password that is not right. */
const WRONG = { isCorrect: false, isOutdated: false };

/** `make` gives a hasher that runs one hash at a time. */
export const testPasswordHasher = (
  name: string,
  make: (given: HasherSetUp) => { readonly hasher: PasswordHasher; close(): Promise<void> },
): void => {
  describe(`PasswordHasher: ${name}`, () => {
    const log = makeRecordingLog();
    const given: HasherSetUp = { cost: { ln: 8, r: 8, p: 1 }, log, queue: 1 };
    let made: ReturnType<typeof make>;
    let hasher: PasswordHasher;
    before(() => {
      made = make(given);
      hasher = made.hasher;
    });
    beforeEach(() => log.lines.splice(0));
    after(() => made.close());

    it('knows the password it hashed, and no other', async () => {
      const hash = await hasher.hash('correct horse', somebody());
      expect(await hasher.verify('correct horse', hash, somebody())).to.deep.equal({
        isCorrect: true,
        isOutdated: false,
      });
      // Not with a NUL at the end: HMAC pads its key with those, so scrypt cannot tell (RFC 2104 section 2).
      for (const other of ['', 'correct hors', 'correct horse ', 'Correct horse', '\0correct horse']) {
        expect(await hasher.verify(other, hash, somebody())).to.deep.equal(WRONG);
      }
    });

    it('writes PHC strings with the cost, a salt of 16 bytes and a key of 32', async () => {
      expect(await hasher.hash('correct horse', somebody())).to.match(
        /^\$scrypt\$ln=8,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
      );
    });

    it('never hashes a password the same way twice', async () => {
      expect(await hasher.hash('correct horse', somebody())).to.not.equal(
        await hasher.hash('correct horse', somebody()),
      );
    });

    it('takes any text as a password, none of it cut off', async () => {
      const password = fc.string({ unit: 'binary', maxLength: 300 });
      await fc.assert(
        fc.asyncProperty(password, async (text) => {
          const hash = await hasher.hash(text, somebody());
          expect((await hasher.verify(text, hash, somebody())).isCorrect).to.equal(true);
          expect((await hasher.verify(`${text}.`, hash, somebody())).isCorrect).to.equal(false);
        }),
        { numRuns: 20 },
      );
      const long = `${'🔑'.repeat(4_999)}ab`;
      const hash = await hasher.hash(long, somebody());
      expect((await hasher.verify(long, hash, somebody())).isCorrect).to.equal(true);
      expect((await hasher.verify(`${'🔑'.repeat(4_999)}ac`, hash, somebody())).isCorrect).to.equal(false);
    });

    it('verifies what another implementation made', async () => {
      expect(await hasher.verify(PASSWORD, OURS, somebody())).to.deep.equal({
        isCorrect: true,
        isOutdated: false,
      });
      expect((await hasher.verify('hunter2', OURS, somebody())).isCorrect).to.equal(false);
    });

    it('verifies hashes of another cost and other lengths, and calls them outdated', async () => {
      for (const hash of FOREIGN) {
        expect(await hasher.verify(PASSWORD, hash, somebody()), hash).to.deep.equal({
          isCorrect: true,
          isOutdated: true,
        });
        expect(await hasher.verify('hunter2', hash, somebody()), hash).to.deep.equal({
          isCorrect: false,
          isOutdated: true,
        });
        expect(hasher.accepts(hash), hash).to.equal(true);
      }
    });

    it('tells hashes that take longer than its own', () => {
      const [cheaper, half, double, salt, key, four] = FOREIGN.map((hash) => hasher.isCostlier(hash));
      expect([cheaper, half, salt, key, hasher.isCostlier(OURS)]).to.not.include(true);
      expect([double, four]).to.deep.equal([true, true]);
      for (const none of ['', 'not a hash', OURS.replace('ln=8', 'ln=19')])
        expect(hasher.isCostlier(none), none).to.equal(false);
    });

    it('estimates by a measurement how long the check of a hash takes', async function () {
      this.timeout(300_000);
      const timeOf = await hasher.measureVerification();
      const costing = (cost: string) => timeOf(OURS.replace('ln=8,r=8,p=1', cost));
      expect(timeOf(OURS)).to.be.within(0.01, 200);
      expect(costing('ln=16,r=8,p=2') / costing('ln=14,r=8,p=4')).to.be.closeTo(2, 0.01);
      expect(costing('ln=18,r=8,p=16')).to.be.greaterThan(2_000);
      expect(timeOf('not a hash')).to.equal(Number.POSITIVE_INFINITY);
    });

    it('finds no password right where there is no hash', async () => {
      expect(await hasher.verify('', null, somebody())).to.deep.equal(WRONG);
      expect(await hasher.verify('correct horse', null, somebody())).to.deep.equal(WRONG);
      expect(log.lines).to.deep.equal([]);
    });

    it('finds no password right, and says so in the log, where the hash is none or costs too much', async () => {
      const costing = (cost: string) => OURS.replace('ln=8,r=8,p=1', cost);
      const cases = [
        ['', 'unreadable'],
        ['$6$AAECAwQFBgcICQoL$bq5iVNbXc/7Lwk3jD02rpJlyE4nUBnD17SOnrG42buM', 'unreadable'],
        [OURS.slice(0, -1), 'unreadable'],
        [costing('ln=18,r=9,p=1'), 'too_costly'],
        [costing('ln=19,r=8,p=1'), 'too_costly'],
        [costing('ln=999999999,r=8,p=1'), 'too_costly'],
        [costing('ln=8,r=8,p=17'), 'too_costly'],
        [costing('ln=16,r=1,p=1'), 'too_costly'],
        [costing('ln=1,r=65536,p=16'), 'too_costly'],
      ] as const;
      for (const [hash, reason] of cases) {
        expect(await hasher.verify(PASSWORD, hash, somebody())).to.deep.equal(WRONG);
        expect(log.lines.splice(0)).to.deep.equal([
          { level: 'error', event: 'password.not_verifiable', fields: { reason } },
        ]);
        expect(hasher.accepts(hash), hash).to.equal(false);
      }
      expect(log.lines).to.deep.equal([]);
    });

    it('refuses at once what finds the queue full, and serves the others', async () => {
      const served = [hasher.hash('first', somebody()), hasher.verify('second', null, somebody())];
      const refusal = await hasher.hash('third', somebody()).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(CoreError);
      expect(refusal).to.deep.include({ kind: 'unavailable', code: 'busy', facts: { retryAfter: 2 } });
      await Promise.all(served);
      expect(await hasher.hash('fourth', somebody())).to.be.a('string');
    });

    it('serves others between many of one account, and between many of one client', async () => {
      const { hasher, close } = make({ ...given, queue: 4 });
      const order: string[] = [];
      const verify = async (account: string, client: string) => {
        await hasher.verify('a password', null, { for: { account, client } });
        order.push(account);
      };
      const kinds: readonly ((place: number) => readonly [account: string, client: string])[] = [
        (place) => ['ada', `client ${place}`],
        (place) => [`account ${place}`, 'one'],
      ];
      for (const own of kinds) {
        const first = verify('first', 'nobody else');
        const many = [0, 1, 2, 3].map((place) => verify(...own(place)));
        const refusal = await verify(...own(4)).catch((error: unknown) => error);
        expect(refusal).to.be.instanceOf(CoreError);
        expect(refusal).to.deep.include({ kind: 'throttled', code: 'too_many_at_once' });
        expect(refusal).to.have.nested.property('facts.retryAfter').that.is.within(1, 3_600);
        const others = [verify('bob', 'two'), verify('cid', 'three')];
        await Promise.all([first, ...many, ...others]);
        const [before, ...then] = order.splice(0);
        expect(before).to.equal('first');
        expect(then.slice(1, 3)).to.deep.equal(['bob', 'cid']);
        expect(then).to.have.length(6);
      }
      await close();
    });

    it('cannot be made for a cost that it would not bear', () => {
      expect(() => make({ ...given, cost: { ln: 19, r: 8, p: 1 } })).to.throw(RangeError);
    });
  });
};
