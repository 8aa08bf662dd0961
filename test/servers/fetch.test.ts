import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { type Composition, compose } from '../../adapters/compose.ts';
import { readConfig } from '../../adapters/config.ts';
import { createHandlers, type FetchHandler, type Handlers, toFetch } from '../../servers/index.ts';
import { makeRecordingLog } from '../support/recording-log.ts';
import { easySettings } from '../support/service.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const URL_OF_APP = 'http://app.example/some/path?x=1&y=%20';

/** A stream of at most `max` chunks, with the number of chunks that were pulled. */
const bodyOf = (chunk: Uint8Array, max = Number.POSITIVE_INFINITY) => {
  const progress = { pulled: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        progress.pulled += 1;
        if (progress.pulled > max) controller.close();
        else controller.enqueue(chunk);
      },
      cancel: () => {
        progress.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { progress, body };
};

const post = (body: RequestInit['body'], init: RequestInit = {}) =>
  new Request(URL_OF_APP, { method: 'POST', body: body ?? null, duplex: 'half', ...init });

/** Returns the error of a promise. */
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('There was a response.'),
    (error: Error) => error,
  );

describe('toFetch', () => {
  it('passes a Node.js request to the handler', async () => {
    const requests: unknown[] = [];
    const answer = toFetch((req, res) => {
      const { method, url, headers, socket } = req;
      requests.push([method, url, headers.host, headers['x-one'], headers.te, socket.remoteAddress]);
      res.end();
    });
    const headers = { 'X-One': 'ä', TE: 'trailers', Expect: '100-continue', 'Content-Length': '99' };
    await answer(new Request(URL_OF_APP, { headers }), { peer: '192.0.2.1' });
    await answer(new Request(URL_OF_APP, { method: 'DELETE', headers: { Host: 'other.example' } }));
    expect(requests).to.deep.equal([
      ['GET', '/some/path?x=1&y=%20', 'app.example', 'ä', undefined, '192.0.2.1'],
      ['DELETE', '/some/path?x=1&y=%20', 'other.example', undefined, undefined, undefined],
    ]);
  });

  it('returns the status, the headers and each of several cookies', async () => {
    const answer = toFetch((_req, res) => {
      res.setHeader('Set-Cookie', ['a=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT', 'b=2']);
      res.setHeader('Keep-Alive', 'timeout=5');
      res.writeHead(418, { 'X-One': 'ä' }).end('short');
    });
    const response = await answer(new Request(URL_OF_APP));
    expect([response.status, response.headers.get('x-one'), await response.text()]).to.deep.equal([
      418,
      'ä',
      'short',
    ]);
    expect(response.headers.getSetCookie()).to.have.length(2);
    expect([...response.headers.keys()]).not.to.include.members(['connection', 'keep-alive']);
  });

  it('returns no body for HEAD, 204 and 304', async () => {
    const answer = toFetch((req, res) => {
      const status = Number(req.headers['x-status']);
      res.writeHead(status, status === 200 ? { 'Content-Length': '5' } : {}).end();
    });
    for (const [method, status] of [
      ['HEAD', 200],
      ['GET', 204],
      ['GET', 304],
    ] as const) {
      const headers = { 'X-Status': String(status) };
      const response = await answer(new Request(URL_OF_APP, { method, headers }));
      expect([response.status, response.body]).to.deep.equal([status, null]);
    }
  });

  it('streams in both directions with backpressure', async () => {
    const chunk = new Uint8Array(65_536);
    const answer = toFetch((req, res) => req.pipe(res));
    const { progress, body } = bodyOf(chunk, 400);
    const response = await answer(post(body));
    await until(() => progress.pulled > 4);
    for (let rounds = 0; rounds < 200; rounds += 1) await turn();
    expect(progress.pulled).to.be.lessThan(40);
    expect((await response.arrayBuffer()).byteLength).to.equal(400 * chunk.length);
  });

  it('buffers little of responses that are not read', async () => {
    const piece = Buffer.alloc(65_536);
    let count = 0;
    const streaming = toFetch((_req, res) =>
      new Readable({
        read() {
          count += 1;
          this.push(count > 20_000 ? null : piece);
        },
      }).pipe(res),
    );
    const response = await streaming(new Request(URL_OF_APP));
    for (let rounds = 0; rounds < 1_000; rounds += 1) await turn();
    expect(count).to.be.lessThan(40);
    await response.body?.cancel();

    const document = Buffer.alloc(5_000_000, 'x');
    const whole = toFetch((_req, res) => res.end(document));
    const before = process.memoryUsage().arrayBuffers;
    const responses = await Promise.all(Array.from({ length: 40 }, () => whole(new Request(URL_OF_APP))));
    for (let rounds = 0; rounds < 100; rounds += 1) await turn();
    const bufferedBytes = process.memoryUsage().arrayBuffers - before;
    expect(bufferedBytes / responses.length).to.be.lessThan(1_000_000);
    for (const wholeResponse of responses)
      expect(Buffer.from(await wholeResponse.arrayBuffer()).equals(document)).to.equal(true);
  });

  it('ends the connection of an aborted request', async () => {
    const arrived: { req: IncomingMessage; res: ServerResponse }[] = [];
    const answer = toFetch((req, res) => arrived.push({ req, res }));
    const controller = new AbortController();
    const response = answer(post(bodyOf(new Uint8Array(1)).body, { signal: controller.signal }));
    await until(() => arrived.length === 1);
    const [{ req, res } = expect.fail()] = arrived;
    req.on('error', () => undefined).resume();
    const closed = once(res, 'close');
    controller.abort();
    await closed;
    expect([req.destroyed, req.complete]).to.deep.equal([true, false]);
    expect((await errorOf(response)).name).to.equal('AbortError');

    const late = errorOf(answer(new Request(URL_OF_APP, { signal: AbortSignal.abort() })));
    expect((await late).name).to.equal('AbortError');
  });

  it('ends the connection if the body of the response is cancelled', async () => {
    const startedResponses: ServerResponse[] = [];
    const answer = toFetch((_req, res) => {
      startedResponses.push(res);
      res.write('the first part');
    });
    const { body } = await answer(new Request(URL_OF_APP));
    await body?.cancel();
    await until(() => startedResponses.every(({ closed }) => closed));
    expect(startedResponses.map(({ writableFinished }) => writableFinished)).to.deep.equal([false]);
  });

  it('rejects if the request body fails, or if the handler fails before its response', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('no more')) });
    const discarding = toFetch((req) => req.on('error', () => undefined).resume());
    expect((await errorOf(discarding(post(body)))).message).to.equal('no more');
    const cutting = toFetch((_req, res) => res.destroy());
    expect((await errorOf(cutting(new Request(URL_OF_APP)))).message).to.equal('socket hang up');
  });

  it('fails the body of a response that is cut off', async () => {
    const answer = toFetch((_req, res) => res.write('the first part', () => res.destroy()));
    const response = await answer(new Request(URL_OF_APP));
    expect(response.status).to.equal(200);
    await errorOf(response.text());
  });

  it('stops reading a request body after the response', async () => {
    const { progress, body } = bodyOf(new Uint8Array(16_384));
    const answer = toFetch((_req, res) => res.writeHead(401).end('no'));
    const response = await answer(post(body));
    expect(await response.text()).to.equal('no');
    await until(() => progress.cancelled);
    expect(progress.pulled).to.be.lessThan(40);
  });
});

describe('Both services behind toFetch', () => {
  const folder = useTempFolder();
  let composition: Composition;
  let handlers: Handlers;
  let answer: FetchHandler;

  beforeEach(async () => {
    const settings = { DATA_DIR: folder(), PUBLIC_URL: 'http://app.example', TRUSTED_PROXIES: '127.0.0.1' };
    const config = readConfig({ ...easySettings, ...settings, RATE_LIMIT_REGISTER: '2' }, folder());
    composition = await compose(config, { log: makeRecordingLog() });
    handlers = createHandlers(composition, config);
    answer = toFetch(handlers.accounts);
  });
  afterEach(() => handlers.close());

  const send = (path: string, body: string, client = '192.0.2.1') =>
    answer(
      new Request(`http://app.example${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': client },
        body,
      }),
      { peer: '127.0.0.1' },
    );
  const codeOf = async (response: Response) => JSON.parse(await response.text()).code;
  const credentials = JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery' });

  it('answer requests as over a network', async () => {
    expect((await send('/api/auth/register', credentials)).status).to.equal(201);
    const refused = await send('/api/auth/verify-email', '{"email":"ada@example.com","code":"000000"}');
    expect([refused.status, await codeOf(refused)]).to.deep.equal([401, 'invalid_code']);
    expect((await send('/no-such', '{}')).status).to.equal(404);
    const metadata = toFetch(handlers.metadata);
    expect((await metadata(new Request('http://app.example/api/v1/meta/none'))).status).to.equal(401);
  });

  it('enforce the maximum body size', async () => {
    const long = JSON.stringify({ email: 'a'.repeat(70_000) });
    const response = await send('/api/auth/register', long);
    expect([response.status, await codeOf(response)]).to.deep.equal([413, 'too_large']);
  });

  it('count requests by the client address of a trusted proxy', async () => {
    const statuses: number[] = [];
    for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'])
      statuses.push((await send('/api/auth/register', '{}', client)).status);
    expect(statuses).to.deep.equal([400, 400, 429, 400]);
  });
});
