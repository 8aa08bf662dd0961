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

/** A body whose chunks are given when they are asked for, and what happened to it. */
const bodyOf = (chunk: Uint8Array, most = Number.POSITIVE_INFINITY) => {
  const seen = { given: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        seen.given += 1;
        if (seen.given > most) controller.close();
        else controller.enqueue(chunk);
      },
      cancel: () => {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { seen, body };
};

const post = (body: RequestInit['body'], init: RequestInit = {}) =>
  new Request(URL_OF_APP, { method: 'POST', body: body ?? null, duplex: 'half', ...init });

/** What an error is, with what caused it. */
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('It was answered.'),
    (error: Error) => error,
  );

describe('A handler as a function from Request to Response', () => {
  it('is given the request as Node.js has it', async () => {
    const seen: unknown[] = [];
    const answer = toFetch((req, res) => {
      const { method, url, headers, socket } = req;
      seen.push([method, url, headers.host, headers['x-one'], headers.te, socket.remoteAddress]);
      res.end();
    });
    const headers = { 'X-One': 'ä', TE: 'trailers', Expect: '100-continue', 'Content-Length': '99' };
    await answer(new Request(URL_OF_APP, { headers }), { peer: '192.0.2.1' });
    await answer(new Request(URL_OF_APP, { method: 'DELETE', headers: { Host: 'other.example' } }));
    expect(seen).to.deep.equal([
      ['GET', '/some/path?x=1&y=%20', 'app.example', 'ä', undefined, '192.0.2.1'],
      ['DELETE', '/some/path?x=1&y=%20', 'other.example', undefined, undefined, undefined],
    ]);
  });

  it('gives status, headers and each of several cookies', async () => {
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

  it('gives no body where there is none', async () => {
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

  it('streams in both directions, and holds a side until the other one reads', async () => {
    const chunk = new Uint8Array(65_536);
    const answer = toFetch((req, res) => req.pipe(res));
    const { seen, body } = bodyOf(chunk, 400);
    const response = await answer(post(body));
    await until(() => seen.given > 4);
    for (let rounds = 0; rounds < 200; rounds += 1) await turn();
    expect(seen.given).to.be.lessThan(40);
    expect((await response.arrayBuffer()).byteLength).to.equal(400 * chunk.length);
  });

  it('holds little of answers that nobody reads', async () => {
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
    const held = process.memoryUsage().arrayBuffers - before;
    expect(held / responses.length).to.be.lessThan(1_000_000);
    for (const answered of responses)
      expect(Buffer.from(await answered.arrayBuffer()).equals(document)).to.equal(true);
  });

  it('ends the connection of a request that is aborted', async () => {
    const arrived: { req: IncomingMessage; res: ServerResponse }[] = [];
    const answer = toFetch((req, res) => arrived.push({ req, res }));
    const controller = new AbortController();
    const answered = answer(post(bodyOf(new Uint8Array(1)).body, { signal: controller.signal }));
    await until(() => arrived.length === 1);
    const [{ req, res } = expect.fail()] = arrived;
    req.on('error', () => undefined).resume();
    const closed = once(res, 'close');
    controller.abort();
    await closed;
    expect([req.destroyed, req.complete]).to.deep.equal([true, false]);
    expect((await refusal(answered)).name).to.equal('AbortError');

    const late = refusal(answer(new Request(URL_OF_APP, { signal: AbortSignal.abort() })));
    expect((await late).name).to.equal('AbortError');
  });

  it('ends it too when nobody reads the answer to its end', async () => {
    const begun: ServerResponse[] = [];
    const answer = toFetch((_req, res) => {
      begun.push(res);
      res.write('the first part');
    });
    const { body } = await answer(new Request(URL_OF_APP));
    await body?.cancel();
    await until(() => begun.every(({ closed }) => closed));
    expect(begun.map(({ writableFinished }) => writableFinished)).to.deep.equal([false]);
  });

  it('fails when the body does, or the handler before its answer', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('no more')) });
    const discarding = toFetch((req) => req.on('error', () => undefined).resume());
    expect((await refusal(discarding(post(body)))).message).to.equal('no more');
    const cutting = toFetch((_req, res) => res.destroy());
    expect((await refusal(cutting(new Request(URL_OF_APP)))).message).to.equal('socket hang up');
  });

  it('fails in the middle of an answer that is cut off', async () => {
    const answer = toFetch((_req, res) => res.write('the first part', () => res.destroy()));
    const response = await answer(new Request(URL_OF_APP));
    expect(response.status).to.equal(200);
    await refusal(response.text());
  });

  it('reads no more of a body after the answer', async () => {
    const { seen, body } = bodyOf(new Uint8Array(16_384));
    const answer = toFetch((_req, res) => res.writeHead(401).end('no'));
    const response = await answer(post(body));
    expect(await response.text()).to.equal('no');
    await until(() => seen.cancelled);
    expect(seen.given).to.be.lessThan(40);
  });
});

describe('Both services as functions from Request to Response', () => {
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

  it('answer as over a network', async () => {
    expect((await send('/api/auth/register', credentials)).status).to.equal(201);
    const refused = await send('/api/auth/verify-email', '{"email":"ada@example.com","code":"000000"}');
    expect([refused.status, await codeOf(refused)]).to.deep.equal([401, 'invalid_code']);
    expect((await send('/no-such', '{}')).status).to.equal(404);
    const metadata = toFetch(handlers.metadata);
    expect((await metadata(new Request('http://app.example/api/v1/meta/none'))).status).to.equal(401);
  });

  it('keep the limits of bodies', async () => {
    const long = JSON.stringify({ email: 'a'.repeat(70_000) });
    const response = await send('/api/auth/register', long);
    expect([response.status, await codeOf(response)]).to.deep.equal([413, 'too_large']);
  });

  it('count by the client that a trusted proxy names', async () => {
    const statuses: number[] = [];
    for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'])
      statuses.push((await send('/api/auth/register', '{}', client)).status);
    expect(statuses).to.deep.equal([400, 400, 429, 400]);
  });
});
