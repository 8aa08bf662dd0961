import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  createServer as createHttp2Server,
  type Http2Server,
} from 'node:http2';
import { connect } from 'node:net';
import { expect } from 'chai';
import sinon from 'sinon';
import { type Composition, compose } from '../../adapters/compose.ts';
import { readConfig } from '../../adapters/config.ts';
import type { Message } from '../../core/index.ts';
import { createHandlers, type Handlers } from '../../servers/index.ts';
import { makeRecordingLog } from '../support/recording-log.ts';
import { easySettings } from '../support/service.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { unawaited } from '../support/unawaited.ts';
import { until } from '../support/until.ts';

describe('The handlers of both services in a server of an app', () => {
  const folder = useTempFolder();
  const log = makeRecordingLog();
  const mails: Message[] = [];
  let composition: Composition;
  let handlers: Handlers;
  let server: Server;
  let url = '';

  beforeEach(async () => {
    const settings = { ...easySettings, DATA_DIR: folder(), PUBLIC_URL: 'http://app.example' };
    const config = readConfig(settings, folder());
    const mailer = {
      send: async (message: Message) => {
        mails.push(message);
        return { outcome: 'sent' } as const;
      },
    };
    composition = await compose(config, { log, mailer });
    handlers = createHandlers(composition, config);
    server = createServer(
      unawaited(async (req: IncomingMessage, res: ServerResponse) => {
        const passOn = () => res.end(`the app's: ${req.url} ${res.getHeaderNames().length}`);
        if (req.headers['x-read-first'] !== undefined) for await (const _ of req);
        if (req.headers['x-metadata'] !== undefined) handlers.metadata(req, res);
        else handlers.accounts(req, res, req.headers['x-alone'] === undefined ? passOn : undefined);
      }),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });

  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await handlers.close();
    log.lines.splice(0);
    mails.splice(0);
  });

  const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers });
  const registration = JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery' });
  const register = (headers: Record<string, string> = {}) =>
    fetch(`${url}/api/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: registration,
    });

  it('pass a foreign path to `next` unchanged', async () => {
    expect(await (await get('/mine?x=1')).text()).to.equal("the app's: /mine?x=1 0");
    expect(await (await get('/api/auth')).text()).to.equal("the app's: /api/auth 0");
  });

  it('answer a foreign path with 404 without `next`', async () => {
    const response = await get('/mine', { 'X-Alone': '1' });
    expect(response.status).to.equal(404);
    expect(await response.json()).to.have.all.keys('message', 'code');
  });

  it('answer a wrong method of their own paths', async () => {
    expect((await get('/api/auth/login')).status).to.equal(405);
    expect((await get('/api/auth/sessions/none?x=1')).status).to.equal(405);
    expect(await (await get('/api/auth/sessions/none/more')).text()).to.include("the app's");
  });

  it('send pending mails in the background after `start`', async () => {
    expect((await register()).status).to.equal(201);
    expect(mails).to.deep.equal([]);
    handlers.start();
    await until(() => mails.length === 1);
  });

  it('stop background work after `close`, even if `start` is called several times', async () => {
    const time = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      handlers.start();
      await time.tickAsync(1_000);
      const timers = time.countTimers();
      handlers.start();
      await time.tickAsync(1_000);
      expect(time.countTimers()).to.equal(timers);
      await handlers.close();
      handlers.start();
      const lines = log.lines.length;
      await time.tickAsync(5_000);
      expect(log.lines.slice(lines)).to.deep.equal([]);
      expect(time.countTimers()).to.equal(0);
    } finally {
      time.restore();
    }
  });

  describe('over HTTP/2', () => {
    let http2: Http2Server;
    let session: ClientHttp2Session;

    beforeEach(async () => {
      http2 = createHttp2Server((req, res) =>
        handlers.accounts(req as unknown as IncomingMessage, res as unknown as ServerResponse),
      ).listen(0, '127.0.0.1');
      await once(http2, 'listening');
      const address = http2.address();
      session = connectHttp2(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    });

    afterEach(() => {
      session.destroy();
      http2.close();
    });

    const statusOf = async (stream: ClientHttp2Stream) => {
      const [headers] = await once(stream, 'response');
      return headers[':status'];
    };

    it('answer requests, which name their host as `:authority`', async () => {
      const stream = session.request({
        ':path': '/api/auth/register',
        ':method': 'POST',
        'content-type': 'application/json',
      });
      stream.end(registration);
      expect(await statusOf(stream)).to.equal(201);
    });

    it('set no `Connection` header, of which Node.js would warn', async () => {
      const warnings: Error[] = [];
      const recordWarning = (warning: Error) => warnings.push(warning);
      process.on('warning', recordWarning);
      try {
        expect(await statusOf(session.request({ ':path': '/a\\b' }))).to.equal(400);
        await handlers.close();
        expect(await statusOf(session.request({ ':path': '/health' }))).to.equal(503);
      } finally {
        process.off('warning', recordWarning);
      }
      expect(warnings).to.deep.equal([]);
    });
  });

  it('require the secret for metadata on any address', async () => {
    const headers = { 'X-Metadata': '1' };
    expect((await get('/api/v1/meta/none', headers)).status).to.equal(401);
    const secret = composition.metadataSecrets[0] ?? '';
    const known = await get('/api/v1/meta/none', { ...headers, 'X-Internal-Secret': secret });
    expect(known.status).to.equal(404);
  });

  it('answer and log `body_already_read` if the app has read the body', async () => {
    const response = await register({ 'X-Read-First': '1' });
    expect(response.status).to.equal(500);
    expect(await response.json()).to.include({ code: 'body_already_read' });
    const [line] = log.lines.filter(({ event }) => event === 'http.failed');
    expect(String(line?.fields.error)).to.include('mount Gatehouse before body parsers');
    expect((await get('/health', { 'X-Read-First': '1' })).status).to.equal(200);
  });

  it('answer pending requests during `close`, and refuse later ones', async () => {
    expect((await get('/health/ready')).status).to.equal(200);
    const slow = request(`${url}/api/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': registration.length },
    });
    slow.write(registration.slice(0, 10));
    await once(server, 'request');
    let isClosed = false;
    const closing = handlers.close().then(() => {
      isClosed = true;
    });
    const ready = await get('/health/ready');
    expect([ready.status, ready.headers.get('connection')]).to.deep.equal([503, 'close']);
    expect(isClosed).to.equal(false);

    slow.end(registration.slice(10));
    const [answer] = (await once(slow, 'response')) as [IncomingMessage];
    expect([answer.statusCode, answer.headers.connection]).to.deep.equal([201, 'close']);
    answer.resume();
    await closing;
    expect((await get('/health')).status).to.equal(503);
    await handlers.close();
  });

  it('do not wait during `close` for responses of a closed connection, also pipelined ones', async () => {
    let count = 0;
    server.on('request', () => {
      count += 1;
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    // The responses have more bytes than the buffers of a connection.
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100));
    await until(() => count === 100);
    socket.destroy();
    await handlers.close();
    expect(log.lines.filter(({ event }) => event === 'server.cut')).to.deep.equal([]);
  });
});
