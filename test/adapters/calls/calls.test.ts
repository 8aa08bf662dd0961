import { expect } from 'chai';
import type { Calls } from '../../../adapters/calls/calls.ts';
import { FailedTry } from '../../../adapters/calls/failed-try.ts';
import { makePlaces } from '../../../adapters/calls/places.ts';
import { makeKmsCalls } from '../../../adapters/kms/remote.ts';
import { invalid } from '../../../core/errors.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { makeTestTime } from '../../support/test-time.ts';
import { until } from '../../support/until.ts';

const passing = async () => {
  throw new FailedTry('passing', 'failed');
};

describe('Calls of a KMS', () => {
  let time = makeTestTime();
  let log = makeRecordingLog();
  let calls: Calls;
  beforeEach(() => {
    time = makeTestTime();
    log = makeRecordingLog();
    calls = makeKmsCalls({ time, log });
  });
  const codeOf = (call: Promise<unknown>): Promise<string> => call.then(String, (error) => error.code);

  it('pause for a random part of a time that doubles before they try again', async () => {
    time.chance = 0.5;
    const outcome = codeOf(calls.run(passing));
    for (const pause of [50, 100]) {
      await until(() => time.waits.length > 0, 1_000);
      expect(time.waits).to.deep.equal([pause]);
      time.advance(pause);
    }
    expect(await outcome).to.equal('kms_unavailable');
  });

  it('begin no try that would end after three seconds', async () => {
    time.chance = 0.99;
    let tries = 0;
    const outcome = codeOf(
      calls.run(async () => {
        tries += 1;
        if (tries === 2) time.advance(2_850);
        throw new FailedTry('passing', 'failed');
      }),
    );
    await until(() => time.waits.length > 0, 1_000);
    time.advance(99);
    expect(await outcome).to.equal('kms_unavailable');
    expect(tries).to.equal(2);
  });

  it('cut the last try short where three seconds end', async () => {
    let tries = 0;
    const outcome = codeOf(
      calls.run(() => {
        tries += 1;
        if (tries < 3) time.advance(1_200);
        return tries < 3 ? passing() : new Promise<never>(() => undefined);
      }),
    );
    await until(() => tries === 3, 1_000);
    expect(time.waits).to.deep.equal([600]);
    time.advance(600);
    expect(await outcome).to.equal('kms_unavailable');
    expect(time.now()).to.equal(3_000);
  });

  it('tell a try that is late to stop', async () => {
    let told = false;
    const outcome = codeOf(
      calls.run(
        (signal) =>
          new Promise<never>(() => {
            signal.addEventListener('abort', () => {
              told = true;
            });
          }),
        1,
      ),
    );
    await until(() => time.waits.length > 0, 1_000);
    expect(told).to.equal(false);
    time.advance(1_000);
    expect([await outcome, told]).to.deep.equal(['kms_unavailable', true]);
  });

  it('do not repeat what fails until somebody acts, or is answered with no', async () => {
    for (const [error, code] of [
      [new FailedTry('lasting', 'denied'), 'kms_unavailable'],
      [new FailedTry('elsewhere', 'denied'), 'kms_unavailable'],
      [invalid('invalid_sealed', 'No.'), 'invalid_sealed'],
    ] as const) {
      let tries = 0;
      const attempt = async () => {
        tries += 1;
        throw error;
      };
      expect([await codeOf(calls.run(attempt)), tries]).to.deep.equal([code, 1]);
    }
  });

  it('count failures in a row: an answer between them begins anew', async () => {
    for (let round = 0; round < 4; round += 1) {
      await codeOf(calls.run(passing));
      await calls.run(async () => 'well');
    }
    expect(calls.isUp()).to.equal(true);
    await codeOf(calls.run(passing));
    await codeOf(calls.run(passing));
    expect(calls.isUp()).to.equal(false);
  });

  it('take a service for down that refuses lastingly, too', async () => {
    const denied = async () => {
      throw new FailedTry('lasting', 'denied');
    };
    for (let count = 0; count < 5; count += 1) await codeOf(calls.run(denied));
    expect(calls.isUp()).to.equal(false);
    expect(log.lines.at(-1)).to.deep.equal({
      level: 'error',
      event: 'kms.down',
      fields: { reason: 'denied' },
    });
  });

  it('know nothing against a service that failed a minute ago', async () => {
    await codeOf(calls.run(passing));
    await codeOf(calls.run(passing));
    time.advance(60_000);
    expect(calls.isUp()).to.equal(false);
    time.advance(1);
    expect(calls.isUp()).to.equal(true);
  });

  it('log one line a second about what failed', async () => {
    const denied = async () => {
      throw new FailedTry('elsewhere', 'denied');
    };
    for (let count = 0; count < 10; count += 1) await codeOf(calls.run(denied));
    expect(log.lines).to.have.length(1);
    time.advance(1_000);
    await codeOf(calls.run(denied));
    expect(log.lines).to.have.length(2);
  });

  describe('that wait for their turn', () => {
    const held: (() => void)[] = [];
    const hold = () =>
      calls.run(
        () =>
          new Promise<string>((resolve) => {
            held.push(() => resolve('done'));
          }),
      );
    beforeEach(() => held.splice(0));

    it('get it in order of arrival', async () => {
      const running = Array.from({ length: 32 }, hold);
      const order: number[] = [];
      const waiting = [1, 2, 3].map((number) => calls.run(async () => order.push(number)));
      await until(() => held.length === 32, 1_000);
      expect(order).to.deep.equal([]);
      for (const release of held) release();
      await Promise.all([...running, ...waiting]);
      expect(order).to.deep.equal([1, 2, 3]);
    });

    it('are 256 at the most', async () => {
      const running = Array.from({ length: 32 }, hold);
      const waiting = Array.from({ length: 256 }, () => calls.run(async () => 'done'));
      expect(await codeOf(calls.run(async () => 'done'))).to.equal('kms_unavailable');
      for (const release of held) release();
      expect(new Set(await Promise.all([...running, ...waiting]))).to.deep.equal(new Set(['done']));
    });

    it('wait so long at the most, and leave the place to the next', async () => {
      const places = makePlaces(time, { running: 1, waiting: 2 });
      expect(await places.take(1_000)).to.equal(true);
      const first = places.take(1_000);
      time.advance(500);
      const second = places.take(1_000);
      expect(await places.take(1_000), 'two wait already').to.equal(false);
      time.advance(500);
      expect(await first).to.equal(false);
      places.leave();
      expect(await second).to.equal(true);
      time.advance(10_000);
      places.leave();
      expect(await places.take(0)).to.equal(true);
    });
  });
});
