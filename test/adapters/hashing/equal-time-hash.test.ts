import { expect } from 'chai';
import { makeEqualTimeHash } from '../../../adapters/hashing/equal-time-hash.ts';

const STANDARD = { N: 32_768, r: 8, p: 3, maxmem: 2 ** 26 };
const SALT = Buffer.alloc(16).toString('base64');
/** What the slices that fill up time are. */
const SLICE = 2;

describe('The time of a hash that is not ours', () => {
  let now: number;
  let standardTakes: number;
  const make = () =>
    makeEqualTimeHash({
      scrypt: (_password, _salt, length, { N, p }) => {
        now += N === STANDARD.N ? (standardTakes * p) / STANDARD.p : SLICE;
        return new Uint8Array(length);
      },
      usedTime: () => now,
    });
  beforeEach(() => {
    now = 0;
    standardTakes = 200;
  });
  type Run = ReturnType<typeof make>;
  const took = async (call: () => Promise<unknown>) => {
    const startedAt = now;
    await call();
    return now - startedAt;
  };
  const standardRun = (run: Run) =>
    took(() =>
      run({
        password: 'a',
        salt: SALT,
        length: 32,
        scheme: { kind: 'scrypt', ...STANDARD },
        standard: STANDARD,
      }),
    );
  const theirs = (run: Run) =>
    took(() =>
      run({
        password: 'a',
        salt: SALT,
        length: 32,
        scheme: { kind: 'pbkdf2', digest: 'sha256', iterations: 1 },
        standard: STANDARD,
      }),
    );

  it('is filled up to that of ours, whether it is of another algorithm or of a lower cost', async () => {
    const run = make();
    await standardRun(run);
    expect(await theirs(run)).to.be.closeTo(200, SLICE);
    const cheaper = { kind: 'scrypt', ...STANDARD, N: STANDARD.N / 2 } as const;
    const request = { password: 'a', salt: SALT, length: 32, scheme: cheaper, standard: STANDARD };
    expect(await took(() => run(request))).to.be.closeTo(200, SLICE);
  });

  it('is its own where that is longer', async () => {
    const run = make();
    await standardRun(run);
    const dearer = { kind: 'scrypt', ...STANDARD, p: 6 } as const;
    const request = { password: 'a', salt: SALT, length: 32, scheme: dearer, standard: STANDARD };
    expect(await took(() => run(request))).to.equal(400);
  });

  it('is told, without what was added to it or alone where that is wanted', async () => {
    const run = make();
    const half = { kind: 'scrypt', ...STANDARD, p: 1 } as const;
    const request = { password: 'a', salt: SALT, length: 32, scheme: half };
    expect((await run({ ...request, standard: STANDARD })).took).to.be.closeTo(200 / 3, 0.1);
    expect(await took(() => run({ ...request, standard: null }))).to.be.closeTo(200 / 3, 0.1);
  });

  it('is measured once where no hash of ours was seen yet', async () => {
    const run = make();
    expect(await theirs(run)).to.be.closeTo(400, SLICE);
    expect(await theirs(run)).to.be.closeTo(200, SLICE);
  });

  it('follows that of ours when the machine gets slower', async () => {
    const run = make();
    await standardRun(run);
    standardTakes = 300;
    for (let round = 0; round < 20; round += 1) await standardRun(run);
    expect(await theirs(run)).to.be.closeTo(300, SLICE);
  });
});
