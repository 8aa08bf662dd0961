import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Log } from '../../../../core/index.ts';
import { type RunningServer, serve } from '../../../../servers/http/listen/serve.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';
import { until } from '../../../support/until.ts';
import { makeLog } from '../start-app.ts';

const EMPTY_LINE = '\r\n\r\n';

const serveAnswers = (answer: RequestListener, log: Log, finish: number): Promise<RunningServer> =>
  serve({
    app: { callback: () => answer },
    host: '127.0.0.1',
    port: 0,
    portSetting: 'PORT',
    name: 'test',
    style: 'account',
    trustedProxies: [],
    maxOpenHeads: 256,
    closing: new AbortController(),
    log,
    announces: false,
    times: { notice: 0, finish },
  });

describe('A request body with empty lines', () => {
  let served: RunningServer;
  /** The pieces in which the body of each request arrived. */
  const bodies: Buffer[][] = [];

  const answer = (req: IncomingMessage, res: ServerResponse) => {
    const pieces: Buffer[] = [];
    bodies.push(pieces);
    req.on('data', (piece: Buffer) => pieces.push(piece));
    req.on('end', () => res.end('answer'));
  };

  before(async () => {
    served = await serveAnswers(answer, makeLog().log, 1_000);
  });
  after(() => served.close());
  beforeEach(() => {
    bodies.length = 0;
  });

  const requestOf = (body: string): string =>
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}${EMPTY_LINE}${body}`;
  const chunkedRequestOf = (body: string): string =>
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked${EMPTY_LINE}${body.length.toString(16)}\r\n${body}\r\n0${EMPTY_LINE}`;

  /** Sends a text in pieces of that size, which the server reads one by one, and waits for `count` responses. */
  const send = async (text: string, size: number, count: number): Promise<void> => {
    const socket = connect({ port: served.port, host: '127.0.0.1', noDelay: true });
    let answers = '';
    socket.on('data', (chunk) => {
      answers += chunk.toString();
    });
    for (let at = 0; at < text.length; at += size) {
      if (!socket.write(text.slice(at, at + size))) await once(socket, 'drain');
      if (size < 1_000) await new Promise(setImmediate);
    }
    await until(() => answers.split('HTTP/1.1 200').length > count);
    socket.destroy();
  };

  it('arrives in as few pieces as a body without empty lines', async () => {
    await send(requestOf(EMPTY_LINE.repeat(250_000)), 1_000_000, 1);
    const [pieces = []] = bodies;
    expect(Buffer.concat(pieces).length).to.equal(1_000_000);
    expect(pieces.length).to.be.below(1_000);
  });

  it('arrives in few pieces in a chunk', async () => {
    await send(chunkedRequestOf(EMPTY_LINE.repeat(250_000)), 1_000_000, 1);
    const [pieces = []] = bodies;
    expect(Buffer.concat(pieces).length).to.equal(1_000_000);
    expect(pieces.length).to.be.below(20_000);
  });

  for (const [end, request] of [
    ['its stated length', requestOf],
    ['its last chunk', chunkedRequestOf],
    [
      'its stated length after a chunked body',
      (body, at) => (at % 2 === 0 ? chunkedRequestOf : requestOf)(body),
    ],
  ] as readonly (readonly [string, (body: string, at: number) => string])[])
    it(`ends with ${end} if the request is split anywhere`, async () => {
      const texts = [EMPTY_LINE.repeat(20), '\r', `GET / HTTP/1.1${EMPTY_LINE}`.repeat(5), '\n\r\n\r'];
      for (const size of [1, 2, 3, 5, 7, 61, 100_000]) {
        bodies.length = 0;
        await send(texts.map(request).join(''), size, texts.length);
        expect(bodies.map((pieces) => Buffer.concat(pieces).toString())).to.deep.equal(texts);
      }
    });

  it('is read by 16 KB from four connections in a turn of the event loop, and arrives whole', async () => {
    const count = 40;
    const size = 1_000_000;
    const all = Promise.all(
      Array.from({ length: count }, () => send(requestOf('x'.repeat(size)), 1_000_000, 1)),
    );
    const lengthOf = (pieces: readonly Buffer[]) => pieces.reduce((sum, { length }) => sum + length, 0);
    const lengthOfAll = () => bodies.reduce((sum, pieces) => sum + lengthOf(pieces), 0);
    let [before, highest] = [0, 0];
    while (before < count * size) {
      await new Promise(setImmediate);
      const now = lengthOfAll();
      highest = Math.max(highest, now - before);
      before = now;
    }
    await all;
    expect(bodies.map(lengthOf)).to.deep.equal(Array(count).fill(size));
    // One round of this loop may span two turns, and each new connection delivers a small part at once.
    expect(highest).to.be.within(1, 6 * 65_536);
  });
});

describe('Pipelined requests', () => {
  let served: RunningServer;
  const log = makeRecordingLog();
  const sockets: Socket[] = [];
  /** The paths of the requests that the handler has received. */
  const paths: (string | undefined)[] = [];
  const answer = (req: IncomingMessage, res: ServerResponse) => {
    paths.push(req.url);
    if (req.url !== '/unanswered') res.end('answer');
  };

  before(async () => {
    served = await serveAnswers(answer, log, 100);
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await served.close();
  });

  const open = (localAddress: string): Socket => {
    const socket = connect({ port: served.port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    sockets.push(socket);
    return socket;
  };

  it('are limited only behind other requests: many connections with one request each are answered', async () => {
    const length = 60_000;
    const text = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`;
    const statuses = Array.from({ length: 100 }, async () => {
      const socket = open('127.0.0.4');
      socket.write(text);
      return String((await once(socket, 'data'))[0]).slice(9, 12);
    });
    expect(new Set(await Promise.all(statuses))).to.deep.equal(new Set(['200']));
  });

  for (const [part, length] of [
    ['the whole', 15_000],
    ['only a part', 9_000],
  ] as const)
    it(`begin 8 at a time after a body of which ${part} came with the end of a chunked body`, async () => {
      paths.length = 0;
      const socket = open('127.0.0.5').resume();
      socket.write('POST /chunks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
      await until(() => paths.includes('/chunks'));
      socket.write(`0\r\n\r\nPOST /length HTTP/1.1\r\nContent-Length: 15000\r\n\r\n${'x'.repeat(length)}`);
      await until(() => paths.includes('/length'));
      socket.write('x'.repeat(15_000 - length) + 'GET /unanswered HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(600));
      const countStarted = () => paths.filter((path) => path === '/unanswered').length;
      await until(() => countStarted() >= 8);
      for (let turns = 0; turns < 100; turns += 1) await new Promise(setImmediate);
      expect(countStarted()).to.equal(8);
    });

  it('take at most 1 MB of a client, beyond which only this client loses connections', async () => {
    const other = open('127.0.0.3').resume();
    other.write('GET /unanswered HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100));
    // The kernel holds back bytes beyond one read of each connection.
    const crowd = Array.from({ length: 100 }, () => open('127.0.0.2').resume());
    for (const socket of crowd) socket.write('GET /unanswered HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_600));
    const countOpen = () => crowd.filter(({ destroyed }) => !destroyed).length;
    await until(() => countOpen() < 60);
    expect(countOpen()).to.be.above(10);
    expect(other.destroyed).to.equal(false);
    expect(
      log.lines.filter(({ event }) => event === 'http.crowded').map(({ fields }) => fields),
    ).to.deep.equal([{ count: 1_048_576, address: '127.0.0.2' }]);
    const third = open('127.0.0.2');
    third.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String(await once(third, 'data'))).to.match(/^HTTP\/1\.1 200 /);
  });
});
