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

  it('back off with jitter and a doubling delay before each retry', async () => {
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

  it('start no retry after the deadline of three seconds', async () => {
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

  it('end the last attempt at the deadline of three seconds', async () => {
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

  it('abort an attempt that takes longer than a second', async () => {
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

  it('do not retry a lasting failure or a refusal', async () => {
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

  it('count consecutive failures, and reset the count after a success', async () => {
    for (let round = 0; round < 4; round += 1) {
      await codeOf(calls.run(passing));
      await calls.run(async () => 'well');
    }
    expect(calls.isUp()).to.equal(true);
    await codeOf(calls.run(passing));
    await codeOf(calls.run(passing));
    expect(calls.isUp()).to.equal(false);
  });

  it('mark the service as down after lasting failures too, and log the reason', async () => {
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

  it('mark the service as up if its last failure is more than a minute ago', async () => {
    await codeOf(calls.run(passing));
    await codeOf(calls.run(passing));
    time.advance(60_000);
    expect(calls.isUp()).to.equal(false);
    time.advance(1);
    expect(calls.isUp()).to.equal(true);
  });

  it('log at most one failure a second', async () => {
    const denied = async () => {
      throw new FailedAttempt('elsewhere', 'denied');
    };
    for (let count = 0; count < 10; count += 1) await codeOf(calls.run(denied));
    expect(log.lines).to.have.length(1);
    time.advance(1_000);
    await codeOf(calls.run(denied));
    expect(log.lines).to.have.length(2);
  });

  describe('in the queue', () => {
    const releases: (() => void)[] = [];
    const hold = () =>
      calls.run(
        () =>
          new Promise<string>((resolve) => {
            releases.push(() => resolve('done'));
          }),
      );
    beforeEach(() => releases.splice(0));

    it('run in order of arrival', async () => {
      const running = Array.from({ length: 32 }, hold);
      const order: number[] = [];
      const waiting = [1, 2, 3].map((number) => calls.run(async () => order.push(number)));
      await until(() => releases.length === 32);
      expect(order).to.deep.equal([]);
      for (const release of releases) release();
      await Promise.all([...running, ...waiting]);
      expect(order).to.deep.equal([1, 2, 3]);
    });

    it('keep their own trace headers', async () => {
      const running = Array.from({ length: 32 }, () => withTraceHeaders({ traceparent: 'other' }, hold));
      const waiting = withTraceHeaders({ traceparent: 'own' }, () => calls.run(async () => traceHeaders()));
      await until(() => releases.length === 32);
      for (const release of releases) release();
      await Promise.all(running);
      expect(await waiting).to.deep.equal({ traceparent: 'own' });
    });

    it('are refused beyond 256', async () => {
      const running = Array.from({ length: 32 }, hold);
      const waiting = Array.from({ length: 256 }, () => calls.run(async () => 'done'));
      expect(await codeOf(calls.run(async () => 'done'))).to.equal('kms_unavailable');
      for (const release of releases) release();
      expect(new Set(await Promise.all([...running, ...waiting]))).to.deep.equal(new Set(['done']));
    });

    it('fail after three seconds, and free their place for the next call', async () => {
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
      // The service counts as down by then, so the last call is refused before its own deadline.
      expect(await last).to.equal('kms_unavailable');
      expect(time.now()).to.equal(3_000);
    });
  });

  describe('while the service is down', () => {
    const breakDown = async () => {
      while (calls.isUp()) await codeOf(calls.run(passing));
    };

    it('are refused at once while one call probes the service', async () => {
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

    it('are tried again after a second even if the wall clock was changed', async () => {
      await breakDown();
      sinon.replace(Date, 'now', () => 0);
      time.advance(1_000);
      expect(await calls.run(async () => 'back')).to.equal('back');
    });

    it('return a refusal by a recovered service, and reset the failure count', async () => {
      await breakDown();
      time.advance(1_000);
      const refuse = async () => {
        throw invalid('invalid_sealed', 'No.');
      };
      expect(await codeOf(calls.run(refuse))).to.equal('invalid_sealed');
      expect(calls.isUp()).to.equal(true);
      await codeOf(calls.run(passing));
      expect(calls.isUp(), 'failure count was reset').to.equal(true);
    });
  });
});
