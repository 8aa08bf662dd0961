import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { type Served, serve } from '../../../../servers/http/listen/serve.ts';
import { until } from '../../../support/until.ts';
import { makeLog } from '../start-app.ts';

const EMPTY_LINE = '\r\n\r\n';

describe('A body with empty lines in it', () => {
  let served: Served;
  /** The pieces in which each request got its body. */
  const bodies: Buffer[][] = [];

  const answer = (req: IncomingMessage, res: ServerResponse) => {
    const pieces: Buffer[] = [];
    bodies.push(pieces);
    req.on('data', (piece: Buffer) => pieces.push(piece));
    req.on('end', () => res.end('answer'));
  };

  before(async () => {
    served = await serve({
      app: { callback: () => answer },
      host: '127.0.0.1',
      port: 0,
      portSetting: 'PORT',
      name: 'test',
      style: 'account',
      trustedProxies: [],
      maxOpenHeads: 256,
      closing: new AbortController(),
      log: makeLog().log,
      announces: false,
      times: { notice: 0, finish: 1_000 },
    });
  });
  after(() => served.close());
  beforeEach(() => {
    bodies.length = 0;
  });

  const requestOf = (body: string): string =>
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}${EMPTY_LINE}${body}`;
  const chunkedRequestOf = (body: string): string =>
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked${EMPTY_LINE}${body.length.toString(16)}\r\n${body}\r\n0${EMPTY_LINE}`;

  /** Sends a text in pieces of that size, each of which the server reads alone, and waits for so many answers. */
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

  it('comes in the pieces in which it was sent, and costs no more than another', async () => {
    await send(requestOf(EMPTY_LINE.repeat(250_000)), 1_000_000, 1);
    const [pieces = []] = bodies;
    expect(Buffer.concat(pieces).length).to.equal(1_000_000);
    expect(pieces.length).to.be.below(1_000);
  });

  it('comes in few pieces in a chunk, too', async () => {
    await send(chunkedRequestOf(EMPTY_LINE.repeat(250_000)), 1_000_000, 1);
    const [pieces = []] = bodies;
    expect(Buffer.concat(pieces).length).to.equal(1_000_000);
    expect(pieces.length).to.be.below(20_000);
  });

  for (const [end, request] of [
    ['its length says', requestOf],
    ['its last chunk is', chunkedRequestOf],
  ] as const)
    it(`ends where ${end}, wherever its request was cut`, async () => {
      const texts = [EMPTY_LINE.repeat(20), '\r', `GET / HTTP/1.1${EMPTY_LINE}`.repeat(5), '\n\r\n\r'];
      for (const size of [1, 2, 3, 5, 7, 61, 100_000]) {
        bodies.length = 0;
        await send(texts.map(request).join(''), size, texts.length);
        expect(bodies.map((pieces) => Buffer.concat(pieces).toString())).to.deep.equal(texts);
      }
    });

  it('gets on by 16 KB, of four connections in a turn of the event loop, and all of it in the end', async () => {
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
    // What this loop counts may lie in two turns, and each new connection sends a small part at once.
    expect(highest).to.be.within(1, 6 * 65_536);
  });
});
