import { expect } from 'chai';
import { makeEqualTimeHash } from '../../../adapters/hashing/equal-time-hash.ts';

const STANDARD = { N: 32_768, r: 8, p: 3, maxmem: 2 ** 26 };
const SALT = Buffer.alloc(16).toString('base64');
/** The time of one hash that pads the time, in milliseconds. */
const SLICE_MS = 2;

describe('The time of an imported hash', () => {
  let now: number;
  let standardMs: number;
  const make = () =>
    makeEqualTimeHash({
      scrypt: (_password, _salt, length, { N, p }) => {
        now += N === STANDARD.N ? (standardMs * p) / STANDARD.p : SLICE_MS;
        return new Uint8Array(length);
      },
      usedTime: () => now,
    });
  beforeEach(() => {
    now = 0;
    standardMs = 200;
  });
  type Run = ReturnType<typeof make>;
  const durationOf = async (call: () => Promise<unknown>) => {
    const startedAt = now;
    await call();
    return now - startedAt;
  };
  const standardRun = (run: Run) =>
    durationOf(() =>
      run({
        password: 'a',
        salt: SALT,
        length: 32,
        scheme: { kind: 'scrypt', ...STANDARD },
        standard: STANDARD,
      }),
    );
  const importedRun = (run: Run) =>
    durationOf(() =>
      run({
        password: 'a',
        salt: SALT,
        length: 32,
        scheme: { kind: 'pbkdf2', digest: 'sha256', iterations: 1 },
        standard: STANDARD,
      }),
    );

  it('is padded to that of a standard hash for another algorithm or a lower cost', async () => {
    const run = make();
    await standardRun(run);
    expect(await importedRun(run)).to.be.closeTo(200, SLICE_MS);
    const cheaper = { kind: 'scrypt', ...STANDARD, N: STANDARD.N / 2 } as const;
    const request = { password: 'a', salt: SALT, length: 32, scheme: cheaper, standard: STANDARD };
    expect(await durationOf(() => run(request))).to.be.closeTo(200, SLICE_MS);
  });

  it('is not padded if longer than that of a standard hash', async () => {
    const run = make();
    await standardRun(run);
    const costlier = { kind: 'scrypt', ...STANDARD, p: 6 } as const;
    const request = { password: 'a', salt: SALT, length: 32, scheme: costlier, standard: STANDARD };
    expect(await durationOf(() => run(request))).to.equal(400);
  });

  it('is reported without padding, and is not padded if no standard is passed', async () => {
    const run = make();
    const half = { kind: 'scrypt', ...STANDARD, p: 1 } as const;
    const request = { password: 'a', salt: SALT, length: 32, scheme: half };
    expect((await run({ ...request, standard: STANDARD })).took).to.be.closeTo(200 / 3, 0.1);
    expect(await durationOf(() => run({ ...request, standard: null }))).to.be.closeTo(200 / 3, 0.1);
  });

  it('includes one measurement of a standard hash if none has run yet', async () => {
    const run = make();
    expect(await importedRun(run)).to.be.closeTo(400, SLICE_MS);
    expect(await importedRun(run)).to.be.closeTo(200, SLICE_MS);
  });

  it('follows the time of standard hashes on a machine that becomes slower', async () => {
    const run = make();
    await standardRun(run);
    standardMs = 300;
    for (let round = 0; round < 20; round += 1) await standardRun(run);
    expect(await importedRun(run)).to.be.closeTo(300, SLICE_MS);
  });
});
