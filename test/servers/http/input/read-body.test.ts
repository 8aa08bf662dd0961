import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { HttpError } from '../../../../servers/http/http-error.ts';
import { discardRest, readRaw } from '../../../../servers/http/input/read-body.ts';

const EVENTS = ['data', 'end', 'error', 'close'];

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const memory = () => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

describe('readRaw', () => {
  let server: Server;
  let port: number;
  before(async () => {
    server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    port = (server.address() as AddressInfo).port;
  });
  after(() => server.close());

  /** Sends the text and returns the request that the server parsed. */
  const send = async (text: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(text);
    const [req] = await once(server, 'request');
    return { req: req as IncomingMessage, socket };
  };

  const listenerCounts = (req: IncomingMessage) => EVENTS.map((event) => req.listenerCount(event));

  it('returns exactly the bytes that were sent', async () => {
    const { req, socket } = await send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n\0\n{');
    expect(await readRaw(req, 3)).to.deep.equal(Buffer.from('\0\n{'));
    socket.destroy();
  });

  it('rejects and removes its listeners if the client disconnects in the middle', async () => {
    const { req, socket } = await send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 30\r\n\r\n{');
    const before = listenerCounts(req);
    const outcome = readRaw(req, 100).catch((error) => error);
    socket.destroy();
    expect(await outcome)
      .to.be.instanceOf(HttpError)
      .with.property('code', 'aborted');
    expect(listenerCounts(req)).to.deep.equal(before);
  });

  it('rejects at once if the client has disconnected before', async () => {
    const { req, socket } = await send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 30\r\n\r\n{');
    socket.destroy();
    await new Promise((resolve) => req.once('error', () => undefined).once('close', resolve));
    expect(await readRaw(req, 100).catch((error) => error)).to.have.property('code', 'aborted');
  });

  it('refuses a Content-Length beyond the maximum without reading a byte', async () => {
    const { req, socket } = await send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n');
    expect(await readRaw(req, 100).catch((error) => error)).to.have.property('status', 413);
    expect(req.readableFlowing).to.equal(null);
    socket.destroy();
  });

  it('refuses a body beyond the maximum without a Content-Length', async () => {
    const { req, socket } = await send('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    const before = listenerCounts(req);
    const outcome = readRaw(req, 100).catch((error) => error);
    socket.write(`65\r\n${'x'.repeat(101)}\r\n`);
    expect(await outcome).to.have.property('status', 413);
    expect(listenerCounts(req)).to.deep.equal(before);
    socket.destroy();
  });

  it('rejects if the client disconnects in the middle of a compressed body', async () => {
    const { req, socket } = await send(
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: 30\r\n\r\n',
    );
    const before = listenerCounts(req);
    const outcome = readRaw(req, 100).catch((error) => error);
    socket.write(gzipSync('{').subarray(0, 12), () => socket.destroy());
    expect(await outcome).to.have.property('code', 'aborted');
    expect(listenerCounts(req)).to.deep.equal(before);
  });

  it('ignores invalid compressed bytes after the maximum was exceeded', async () => {
    const { req, socket } = await send(
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const outcome = readRaw(req, 65_536).catch((error) => error);
    const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
    const oversized = deflateRawSync(Buffer.alloc(85_536), { finishFlush: constants.Z_SYNC_FLUSH });
    const body = Buffer.concat([gzipHead, oversized, Buffer.alloc(5, 0xff)]);
    socket.write(
      Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]),
    );
    expect(await outcome).to.have.property('status', 413);
    // An error of a stream without a listener would be thrown here, and end the run.
    await wait(50);
    socket.destroy();
  });

  it('refuses too many compressed bytes that inflate to nothing, and leaves the rest to be discarded', async () => {
    const { req, socket } = await send(
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const outcome = readRaw(req, 100).catch((error) => error);
    const emptyMember = gzipSync('');
    const chunk = Buffer.concat([
      Buffer.from(`${emptyMember.length.toString(16)}\r\n`),
      emptyMember,
      Buffer.from('\r\n'),
    ]);
    for (let sent = 0; sent <= 100 + 1_024; sent += emptyMember.length) socket.write(chunk);
    expect(await outcome).to.have.property('status', 413);

    socket.write('0\r\n\r\n');
    const ended = once(req, 'end');
    discardRest(req);
    await ended;
    socket.destroy();
  });

  it('needs little memory for a body in tiny pieces', async () => {
    const pieces = 100_000;
    const body = Object.assign(new PassThrough(), { headers: {} });
    const read = readRaw(body as unknown as IncomingMessage, pieces);
    await setImmediate();
    collectGarbage();
    const before = memory();
    for (let sent = 0; sent < pieces; sent += 1) body.emit('data', Buffer.from([sent % 251]));
    collectGarbage();
    // A piece that is kept as an object takes more than 100 bytes.
    expect(memory() - before).to.be.below(pieces * 20);
    body.emit('end');
    const bytes = await read;
    expect(bytes).to.have.lengthOf(pieces);
    expect(bytes.every((byte, place) => byte === place % 251)).to.equal(true);
  });
});
