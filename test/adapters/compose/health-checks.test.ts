import { expect } from 'chai';
import { makeCheck, makeLogDependencies } from '../../../adapters/compose/health-checks.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

const MINUTE = 60_000;

describe('A check', () => {
  const time = useFakeTime();

  it('takes a dependency whose call fails for down', async () => {
    const refuse = () => {
      throw new Error('refused');
    };
    expect(await makeCheck('kms', refuse).check()).to.equal(false);
    expect(await makeCheck('kms', () => Promise.reject(new Error('refused'))).check()).to.equal(false);
  });

  it('does not begin again while its last try hangs, and is up once that has an answer', async () => {
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

describe('The look at what the services stand on', () => {
  const makeLooks = () => {
    const log = makeRecordingLog();
    let now = 1_000_000;
    const up = { store: true, mail: true };
    const checks = [makeCheck('store', () => up.store), makeCheck('mail', () => up.mail)];
    const look = makeLogDependencies(checks, { clock: { now: () => now }, log });
    return {
      up,
      look,
      pass: (milliseconds: number) => {
        now += milliseconds;
      },
      lines: () => log.lines.splice(0).map(({ level, event, fields }) => [level, event, fields.id]),
    };
  };

  it('warns once of a dependency that is down, again every 15 minutes, and says that it is back', async () => {
    const { up, look, pass, lines } = makeLooks();
    await look();
    expect(lines()).to.deep.equal([]);
    up.mail = false;
    await look();
    expect(lines()).to.deep.equal([['warn', 'dependency.down', 'mail']]);
    for (let minute = 1; minute < 15; minute += 1) {
      pass(MINUTE);
      await look();
    }
    expect(lines()).to.deep.equal([]);
    pass(MINUTE);
    await look();
    await look();
    expect(lines()).to.deep.equal([['warn', 'dependency.down', 'mail']]);
    up.mail = true;
    await look();
    await look();
    expect(lines()).to.deep.equal([['info', 'dependency.back', 'mail']]);
  });

  it('tells of each by itself', async () => {
    const { up, look, pass, lines } = makeLooks();
    up.store = false;
    await look();
    pass(10 * MINUTE);
    up.mail = false;
    await look();
    pass(5 * MINUTE);
    await look();
    expect(lines().map(([, , id]) => id)).to.deep.equal(['store', 'mail', 'store']);
  });

  it('warns once more after the clock was set back', async () => {
    const { up, look, pass, lines } = makeLooks();
    up.mail = false;
    await look();
    pass(-60 * MINUTE);
    await look();
    expect(lines()).to.have.length(2);
  });
});
