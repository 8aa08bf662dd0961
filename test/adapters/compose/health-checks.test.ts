import { expect } from 'chai';
import { makeCheck, makeLogDependencies } from '../../../adapters/compose/health-checks.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

const MINUTE = 60_000;

describe('A dependency check', () => {
  const time = useFakeTime();

  it('returns false if the call throws or rejects', async () => {
    const refuse = () => {
      throw new Error('refused');
    };
    expect(await makeCheck('kms', refuse).check()).to.equal(false);
    expect(await makeCheck('kms', () => Promise.reject(new Error('refused'))).check()).to.equal(false);
  });

  it('starts no second call while one hangs, and returns true once that succeeds', async () => {
    let tries = 0;
    let answer = (_isUp: boolean): void => undefined;
    const { check } = makeCheck('store', () => {
      tries += 1;
      return new Promise<boolean>((resolve) => {
        answer = resolve;
      });
    });
    for (let round = 0; round < 3; round += 1) {
      const outcome = check();
      time.advance(1_000);
      expect(await outcome).to.equal(false);
    }
    const outcome = check();
    answer(true);
    expect(await outcome).to.equal(true);
    expect(tries).to.equal(1);
  });
});

describe('The log of dependencies', () => {
  const openDependencyLog = () => {
    const log = makeRecordingLog();
    let now = 1_000_000;
    const up = { store: true, mail: true };
    const checks = [makeCheck('store', () => up.store), makeCheck('mail', () => up.mail)];
    const logDependencies = makeLogDependencies(checks, { clock: { now: () => now }, log });
    return {
      up,
      logDependencies,
      advance: (milliseconds: number) => {
        now += milliseconds;
      },
      lines: () => log.lines.splice(0).map(({ level, event, fields }) => [level, event, fields.id]),
    };
  };

  it('warns of a down dependency once and every 15 minutes, and logs its recovery', async () => {
    const { up, logDependencies, advance, lines } = openDependencyLog();
    await logDependencies();
    expect(lines()).to.deep.equal([]);
    up.mail = false;
    await logDependencies();
    expect(lines()).to.deep.equal([['warn', 'dependency.down', 'mail']]);
    for (let minute = 1; minute < 15; minute += 1) {
      advance(MINUTE);
      await logDependencies();
    }
    expect(lines()).to.deep.equal([]);
    advance(MINUTE);
    await logDependencies();
    await logDependencies();
    expect(lines()).to.deep.equal([['warn', 'dependency.down', 'mail']]);
    up.mail = true;
    await logDependencies();
    await logDependencies();
    expect(lines()).to.deep.equal([['info', 'dependency.back', 'mail']]);
  });

  it('tracks each dependency separately', async () => {
    const { up, logDependencies, advance, lines } = openDependencyLog();
    up.store = false;
    await logDependencies();
    advance(10 * MINUTE);
    up.mail = false;
    await logDependencies();
    advance(5 * MINUTE);
    await logDependencies();
    expect(lines().map(([, , id]) => id)).to.deep.equal(['store', 'mail', 'store']);
  });

  it('warns again after the clock was set back', async () => {
    const { up, logDependencies, advance, lines } = openDependencyLog();
    up.mail = false;
    await logDependencies();
    advance(-60 * MINUTE);
    await logDependencies();
    expect(lines()).to.have.length(2);
  });
});
