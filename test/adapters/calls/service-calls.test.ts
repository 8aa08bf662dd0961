import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { FailedAttempt } from '../../../adapters/calls/failed-attempt.ts';
import type { Calls } from '../../../adapters/calls/service-calls.ts';
import { traceHeaders, withTraceHeaders } from '../../../adapters/calls/trace-headers.ts';
import { makeKmsCalls } from '../../../adapters/kms/remote.ts';
import { invalid } from '../../../core/errors.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

import { until } from '../../support/until.ts';

const passing = async () => {
  throw new FailedAttempt('passing', 'failed');
};

describe('Calls of a KMS', () => {
  const time = useFakeTime();
  let log = makeRecordingLog();
  let calls: Calls;
  beforeEach(() => {
    log = makeRecordingLog();
    calls = makeKmsCalls(log);
  });
  const codeOf = (call: Promise<unknown>): Promise<string> => call.then(String, (error) => error.code);

  it('pause for a random part of a time that doubles before they try again', async () => {
    time.chance(0.5);
    const startTimes: number[] = [];
    const outcome = codeOf(
      calls.run(() => {
        startTimes.push(time.now());
        return passing();
      }),
    );
    for (let passed = 0; passed < 200; passed += 1) {
      await turn();
      time.advance(1);
    }
    expect(await outcome).to.equal('kms_unavailable');
    expect(startTimes).to.deep.equal([0, 50, 150]);
  });

  it('begin no try that would end after three seconds', async () => {
    time.chance(0.99);
    let tries = 0;
    const outcome = codeOf(
      calls.run(async () => {
        tries += 1;
        if (tries === 2) time.advance(2_850);
        throw new FailedAttempt('passing', 'failed');
      }),
    );
    await turn();
    time.advance(99);
    await turn();
    time.advance(51);
    expect(await outcome).to.equal('kms_unavailable');
    time.advance(1_000);
    await turn();
    expect(tries).to.equal(2);
  });

  it('cut the last try short where three seconds end', async () => {
    let tries = 0;
    let ended = false;
    const outcome = codeOf(
      calls.run(() => {
        tries += 1;
        if (tries < 3) time.advance(1_200);
        return tries < 3 ? passing() : new Promise<never>(() => undefined);
      }),
    ).finally(() => {
      ended = true;
    });
    await until(() => tries === 3);
    time.advance(599);
    await turn();
    expect(ended).to.equal(false);
    time.advance(1);
    expect(await outcome).to.equal('kms_unavailable');
    expect(time.now()).to.equal(3_000);
  });

  it('tell a try that is late to stop', async () => {
    let isAborted = false;
    const outcome = codeOf(
      calls.run(
        (signal) =>
          new Promise<never>(() => {
            signal.addEventListener('abort', () => {
              isAborted = true;
            });
          }),
        1,
      ),
    );
    await turn();
    time.advance(999);
    expect(isAborted).to.equal(false);
    time.advance(1);
    expect([await outcome, isAborted]).to.deep.equal(['kms_unavailable', true]);
  });

  it('do not repeat what fails until somebody acts, or is answered with no', async () => {
    for (const [error, code] of [
      [new FailedAttempt('lasting', 'denied'), 'kms_unavailable'],
      [new FailedAttempt('elsewhere', 'denied'), 'kms_unavailable'],
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
      throw new FailedAttempt('lasting', 'denied');
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
      throw new FailedAttempt('elsewhere', 'denied');
    };
    for (let count = 0; count < 10; count += 1) await codeOf(calls.run(denied));
    expect(log.lines).to.have.length(1);
    time.advance(1_000);
    await codeOf(calls.run(denied));
    expect(log.lines).to.have.length(2);
  });

  describe('that wait for their turn', () => {
    const releases: (() => void)[] = [];
    const hold = () =>
      calls.run(
        () =>
          new Promise<string>((resolve) => {
            releases.push(() => resolve('done'));
          }),
      );
    beforeEach(() => releases.splice(0));

    it('get it in order of arrival', async () => {
      const running = Array.from({ length: 32 }, hold);
      const order: number[] = [];
      const waiting = [1, 2, 3].map((number) => calls.run(async () => order.push(number)));
      await until(() => releases.length === 32);
      expect(order).to.deep.equal([]);
      for (const release of releases) release();
      await Promise.all([...running, ...waiting]);
      expect(order).to.deep.equal([1, 2, 3]);
    });

    it('keep the trace that they belong to', async () => {
      const running = Array.from({ length: 32 }, () => withTraceHeaders({ traceparent: 'other' }, hold));
      const waiting = withTraceHeaders({ traceparent: 'own' }, () => calls.run(async () => traceHeaders()));
      await until(() => releases.length === 32);
      for (const release of releases) release();
      await Promise.all(running);
      expect(await waiting).to.deep.equal({ traceparent: 'own' });
    });

    it('are 256 at the most', async () => {
      const running = Array.from({ length: 32 }, hold);
      const waiting = Array.from({ length: 256 }, () => calls.run(async () => 'done'));
      expect(await codeOf(calls.run(async () => 'done'))).to.equal('kms_unavailable');
      for (const release of releases) release();
      expect(new Set(await Promise.all([...running, ...waiting]))).to.deep.equal(new Set(['done']));
    });

    it('wait for three seconds at the most, and leave the place to the next', async () => {
      const running = Array.from({ length: 32 }, hold).map(codeOf);
      const waiting = Array.from({ length: 64 }, () => codeOf(calls.run(async () => 'done')));
      await turn();
      time.advance(500);
      const last = codeOf(calls.run(async () => 'done'));
      await turn();
      time.advance(2_500);
      expect(new Set(await Promise.all([...running, ...waiting]))).to.deep.equal(
        new Set(['kms_unavailable']),
      );
      // The service is down by then: the last one has its turn, and is refused before its own deadline.
      expect(await last).to.equal('kms_unavailable');
      expect(time.now()).to.equal(3_000);
    });
  });

  describe('while the service is down', () => {
    const breakDown = async () => {
      while (calls.isUp()) await codeOf(calls.run(passing));
    };

    it('are refused at once while one of them finds out whether it is back', async () => {
      await breakDown();
      time.advance(1_000);
      let answer = (_text: string) => {};
      const probe = calls.run(() => new Promise<string>((resolve) => (answer = resolve)));
      await turn();
      expect(await codeOf(calls.run(async () => 'beside it'))).to.equal('kms_unavailable');
      answer('back');
      expect(await probe).to.equal('back');
      expect(await calls.run(async () => 'as before')).to.equal('as before');
    });

    it('are tried again after a second, wherever the wall clock was set', async () => {
      await breakDown();
      sinon.replace(Date, 'now', () => 0);
      time.advance(1_000);
      expect(await calls.run(async () => 'back')).to.equal('back');
    });

    it('are answered with no by a service that is back', async () => {
      await breakDown();
      time.advance(1_000);
      const no = async () => {
        throw invalid('invalid_sealed', 'No.');
      };
      expect(await codeOf(calls.run(no))).to.equal('invalid_sealed');
      expect(calls.isUp()).to.equal(true);
      await codeOf(calls.run(passing));
      expect(calls.isUp(), 'failures are counted anew').to.equal(true);
    });
  });
});
