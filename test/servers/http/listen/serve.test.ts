import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { CannotListen } from '../../../../servers/http/listen/bind-port.ts';
import { until } from '../../../support/until.ts';
import { ask, type Started, sendRaw, startApp, testRoute } from '../start-app.ts';

const GET = 'GET /thing HTTP/1.1\r\nHost: a\r\n';
const LAST = `${GET}Connection: close\r\n\r\n`;
const body = { type: 'object', properties: {} } as const;
const statuses = (response: string) =>
  (response.match(/HTTP\/1\.1 \d+/g) ?? []).map((line) => Number(line.slice(9)));

describe('A server', () => {
  let app: Started;
  before(async () => {
    app = await startApp(
      [testRoute({}), testRoute({ method: 'POST', body })],
      {},
      {
        times: { idle: 80, notice: 0, finish: 500 },
      },
    );
  });
  after(() => app.close());

  it('logs the address on which it listens', async () => {
    expect(app.url).to.equal(`http://127.0.0.1:${app.port}`);
    expect(app.lines[0]).to.deep.include({
      event: 'server.listening',
      fields: { id: 'test', address: app.url },
    });
  });

  it('names the setting in its error if the port is in use or the host is not local', async () => {
    const same = await startApp([], {}, { port: app.port }).catch((error) => error);
    expect(same).to.be.instanceOf(CannotListen).and.include({ setting: 'TEST_PORT', code: 'EADDRINUSE' });
    expect(same.message).to.contain('TEST_PORT').and.not.contain(String(app.port));
    const foreign = await startApp([], {}, { host: '192.0.2.1' }).catch((error) => error);
    expect(foreign).to.be.instanceOf(CannotListen).with.property('setting', 'HOST');
  });

  it('refuses a slow head with 408 long before a whole request would time out', async () => {
    const times = { headers: 60, request: 60_000, checkEvery: 20, notice: 0, finish: 500 };
    const strict = await startApp([testRoute({})], {}, { times });
    const response = await sendRaw(strict.port, GET);
    expect(statuses(response)).to.deep.equal([408]);
    expect(response).to.match(/Connection: close/);
    await strict.close();
  });

  it('ends an idle connection', async () => {
    expect(statuses(await sendRaw(app.port, `${GET}\r\n`))).to.deep.equal([200]);
  });

  it('refuses a head over 16 KiB', async () => {
    const fill = (bytes: number) => `${GET}Connection: close\r\nX-Fill: ${'x'.repeat(bytes)}\r\n\r\n`;
    expect(statuses(await sendRaw(app.port, fill(15_000)))).to.deep.equal([200]);
    expect(statuses(await sendRaw(app.port, fill(17_000)))).to.deep.equal([431]);
  });

  for (const [defect, text] of [
    [
      'Content-Length and Transfer-Encoding',
      'POST /thing HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'POST /thing HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd'],
    ['a length that is not a number', 'POST /thing HTTP/1.1\r\nHost: a\r\nContent-Length: +4\r\n\r\nabcd'],
    [
      'an unknown transfer coding',
      'POST /thing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a malformed chunk size',
      'POST /none HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nabcde\r\n0\r\n\r\n',
    ],
    ['a folded header', `${GET}X-A: b\r\n c: d\r\n\r\n`],
    ['a space before the colon', `${GET}Content-Length : 4\r\n\r\n`],
    ['a NUL in a header', `${GET}X-A: a\0b\r\n\r\n`],
    ['no Host header', 'GET /thing HTTP/1.1\r\n\r\n'],
    ['bytes that are not HTTP', '\x16\x03\x01\x02\x00\x01\x00'],
  ] as const) {
    it(`refuses a request with ${defect} and reads nothing after it`, async () => {
      const responseStatuses = statuses(await sendRaw(app.port, text + LAST));
      expect(responseStatuses).to.not.include(200);
      expect(responseStatuses.filter((status) => status === 400)).to.have.lengthOf(1);
      expect(responseStatuses).to.have.lengthOf.at.most(2);
    });
  }

  it('answers complete requests, then closes the connection and ignores what follows', async () => {
    const run = async () => {
      // The response takes a few turns of the event loop, during which the server continues to read.
      for (let turn = 0; turn < 8; turn += 1) await new Promise(setImmediate);
      return { status: 200, body: {} };
    };
    const slow = await startApp([testRoute({ run })]);
    for (const [text, count] of [
      [`${GET}\r\n${GET}\r\nnot HTTP at all\r\n\r\n${LAST}`, 2],
      [LAST + LAST, 1],
      [`GET /thing HTTP/1.0\r\n\r\n${LAST}`, 1],
      [`${GET}\r\nPOST /thing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n`, 1],
    ] as const)
      expect(statuses(await sendRaw(slow.port, text))).to.deep.equal(Array(count).fill(200));
    await slow.close();
  });

  it('sends no error after a response that preceded the end of the body', async () => {
    const times = { headers: 60, request: 60, checkEvery: 20, notice: 0, finish: 500 };
    const strict = await startApp([testRoute({})], {}, { times });
    const text = 'POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{';
    expect(statuses(await sendRaw(strict.port, text))).to.deep.equal([404]);
    await strict.close();
  });

  it('completes a response that has begun, and sends no error after it', async () => {
    const half = new Readable({ read: () => undefined });
    half.push('half of it');
    const streaming = await startApp([testRoute({ run: async () => ({ status: 200, body: half }) })]);
    const socket = connect(streaming.port, '127.0.0.1').setEncoding('latin1');
    socket.write(`${GET}\r\n`);
    let [response] = await once(socket, 'data');
    socket.on('data', (chunk) => {
      response += chunk;
    });
    socket.write('not HTTP at all\r\n\r\n');
    await until(() => streaming.lines.some(({ event }) => event === 'http.unreadable'));
    half.push(', and the other half');
    half.push(null);
    await once(socket, 'close');
    expect(statuses(response)).to.deep.equal([200]);
    expect(response).to.contain('and the other half');
    await streaming.close();
  });

  it('logs a request as 499 if its client disconnects before the response', async () => {
    let disconnect: () => void = () => undefined;
    const run = () => new Promise<never>(() => disconnect());
    const waiting = await startApp([testRoute({ run })]);
    const socket = connect(waiting.port, '127.0.0.1');
    disconnect = () => socket.destroy();
    socket.write(`${GET}\r\n`);
    await once(socket, 'close');
    while (waiting.accessLines.length === 0) await new Promise(setImmediate);
    expect(waiting.accessLines[0]).to.include({ status: 499, route: '/thing' });
    await waiting.close();
  });

  it('keeps serving after clients reset connections at any stage of a request', async () => {
    for (const text of ['', 'GET', GET, 'POST /thing HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{']) {
      const socket = connect(app.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(text || '\r\n');
      socket.resetAndDestroy();
    }
    expect((await ask(`${app.url}/thing`)).status).to.equal(200);
    expect(app.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });
});
