import { expect } from 'chai';
import type { S3Objects } from '../../../adapters/s3/object-store.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import type { StrictS3 } from '../../support/servers/aws/strict-s3.ts';
import type { Fault } from '../../support/servers/strict-server.ts';
import { until } from '../../support/until.ts';
import { useBucket } from './use-bucket.ts';

const content = Buffer.from('content of a picture');

describe('A bucket that is down', () => {
  const time = useFakeTime();
  const { bucket, log, open, openTried, expectUnavailable } = useBucket();
  let s3: StrictS3;
  beforeEach(() => {
    s3 = bucket();
  });

  const callsOf = (store: S3Objects): readonly (() => Promise<unknown>)[] => [
    () => store.put('user/name.png', content),
    () => store.find('user/name.png'),
    () => store.remove('user/name.png'),
    () => store.removeAll('user'),
    async () => {
      for await (const _ of store.list());
    },
  ];

  it('does not fail the check at the start, and works again later', async () => {
    s3.fault = (response) => response.writeHead(503).end();
    const store = await open();
    await store.tryOut();
    expect(s3.requests).to.have.length(1);
    await expectUnavailable(() => store.put('user/name.png', content));
    s3.fault = undefined;
    expect(await store.put('user/name.png', content)).to.equal(true);
  });

  for (const [trouble, fault, reason] of [
    ['answers 500', (response) => response.writeHead(500).end(), 'failed'],
    ['answers with a page', (response) => response.writeHead(503).end('<h1>Sorry</h1>'), 'failed'],
    ['asks to slow down', answerWith(503, 'SlowDown'), 'throttled'],
    ['ends the connection', (response) => response.destroy(), 'unreachable'],
    ['answers with an unknown body', (response) => response.writeHead(200).end('<h1>Hello</h1>'), 'garbled'],
  ] as const satisfies readonly (readonly [string, Fault, string])[]) {
    it(`is unavailable for every call while it ${trouble}`, async () => {
      for (const [place] of callsOf(await open()).entries()) {
        // Each call has its own store, since five failures in a row open the breaker.
        const store = await openTried();
        log.lines.length = 0;
        s3.fault = fault;
        // The answer to a removal has no body that could be wrong.
        if (reason === 'garbled' && place === 2) continue;
        await expectUnavailable(callsOf(store)[place] ?? (async () => undefined));
        expect(log.lines[0]).to.deep.include({ event: 'objects.failed', fields: { reason } });
        s3.fault = undefined;
      }
    });
  }

  it('is unavailable if the connection ends within an object', async () => {
    const store = await openTried();
    await store.put('user/name.png', content);
    s3.fault = (response, work) => {
      const { headers } = work();
      response.writeHead(200, headers);
      response.write('content', () => response.destroy());
    };
    await expectUnavailable(() => store.find('user/name.png'));
    s3.fault = undefined;
    expect(await store.find('user/name.png')).to.deep.equal(new Uint8Array(content));
  });

  it('times out after ten seconds, even within an object', async () => {
    const silent: Fault = () => undefined;
    const halting: Fault = (response) =>
      response.writeHead(200, { ETag: '"x"', 'Content-Length': '9' }).write('part');
    for (const fault of [silent, halting]) {
      s3.fault = undefined;
      const store = await openTried();
      s3.fault = fault;
      const before = s3.requests.length;
      const start = time.now();
      const call = expectUnavailable(() => store.find('user/name.png'));
      for (const tries of [1, 2, 3]) {
        await until(() => s3.requests.length >= before + tries);
        time.advance(tries === 3 ? 2_000 : 4_000);
      }
      await call;
      expect(time.now() - start).to.equal(10_000);
    }
  });

  it('is not called after five failures in a row, and called again a second later', async () => {
    const store = await openTried();
    s3.fault = (response) => response.destroy();
    while (store.isUp()) await expectUnavailable(() => store.find('user/name.png'));
    const requestsBefore = s3.requests.length;
    await expectUnavailable(() => store.put('user/name.png', content));
    expect(s3.requests).to.have.length(requestsBefore);
    s3.fault = undefined;
    time.advance(1_000);
    expect(await store.put('user/name.png', content)).to.equal(true);
    expect(store.isUp()).to.equal(true);
    expect(log.lines.map(({ event }) => event)).to.include.members(['objects.down', 'objects.up']);
  });

  it('stays up after requests for missing objects', async () => {
    const store = await openTried();
    for (let count = 0; count < 20; count += 1) expect(await store.find('user/none.png')).to.equal(undefined);
    expect([store.isUp(), log.lines]).to.deep.equal([true, []]);
  });
});

function answerWith(status: number, code: string): Fault {
  return (response) => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
}
