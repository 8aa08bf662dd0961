import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { ok } from '../../../../servers/http/response-body.ts';
import { makeGate } from '../../../support/gate.ts';
import { until } from '../../../support/until.ts';
import { ask, type Started, startApp, testRoute } from '../start-app.ts';

const LIMIT = 3;
const HEAD = 'GET /thing HTTP/1.1\r\nHost: a\r\n\r\n';
/** More bytes than the buffers of a connection take. */
const LARGE = Buffer.alloc(16_000_000, 'x');
const body = { type: 'object', properties: {} } as const;
const [ADA, BOB, EVE] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];

describe('Connections with pending responses', () => {
  let app: Started | undefined;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await app?.close();
  });

  const open = async (
    run: ReturnType<typeof testRoute>['run'],
    options: Parameters<typeof startApp>[2] = {},
  ): Promise<Started> => {
    const routes = [testRoute({ run }), testRoute({ method: 'POST', body, run })];
    app = await startApp(routes, {}, { maxOpenHeads: LIMIT, ...options });
    return app;
  };

  /** Connects and sends a text. Reads nothing until `read` is called. */
  const send = async ({ port }: Started, text: string, from = ADA) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    sockets.push(socket);
    const state = { socket, length: 0, statuses: [] as string[], hasEnded: false };
    socket.pause();
    socket.on('error', () => undefined);
    socket.on('close', () => {
      state.hasEnded = true;
    });
    await once(socket, 'connect');
    socket.write(text);
    const read = () => {
      socket.on('data', (chunk) => {
        state.length += chunk.length;
        state.statuses.push(...(chunk.toString('latin1').match(/HTTP\/1\.1 \d+/g) ?? []));
      });
      socket.resume();
    };
    return { state, socket, read };
  };
  /** The number of requests that the access log has as 499, as for a connection that the server closed. */
  const countCutOff = (started: Started) => started.accessLines.filter(({ status }) => status === 499).length;
  /** The limits that the log names for connections that were closed to make room for others. */
  const crowdedCounts = ({ lines }: Started) =>
    lines.filter(({ event }) => event === 'http.crowded').map(({ fields }) => fields.count);

  const large = async () => ({ status: 200, body: LARGE });

  it('are closed if their response makes no progress, and stay open while it is read', async () => {
    const times = { unread: 300, checkUnreadEvery: 20, notice: 0, finish: 1_000 };
    const started = await open(large, { times });
    await send(started, HEAD);
    const reading = await send(started, HEAD);
    reading.read();
    await until(() => countCutOff(started) === 1);
    await until(() => reading.state.length > LARGE.length);
    expect(reading.state.hasEnded).to.equal(false);
    expect(countCutOff(started)).to.equal(1);
  });

  it('are closed if their streamed response makes no progress', async () => {
    const endless = async () => ({
      status: 200,
      body: new Readable({
        read() {
          this.push(LARGE.subarray(0, 16_384));
        },
      }),
    });
    const times = { unread: 300, checkUnreadEvery: 20, notice: 0, finish: 1_000 };
    const started = await open(endless, { times });
    await send(started, HEAD);
    await until(() => countCutOff(started) === 1);
    expect(started.accessLines.length).to.equal(1);
  });

  it('are closed a few in a turn of the event loop if many make no progress', async () => {
    const times = { unread: 400, checkUnreadEvery: 500, notice: 0, finish: 1_000 };
    const started = await open(large, { times, maxOpenHeads: 1_000 });
    await Promise.all(Array.from({ length: 150 }, () => send(started, HEAD)));
    let [before, highest] = [0, 0];
    while (before < 150) {
      await new Promise(setImmediate);
      highest = Math.max(highest, countCutOff(started) - before);
      before = countCutOff(started);
    }
    expect(highest).to.be.within(1, 64);
  });

  it('stay open while the response is being made, regardless of the time', async () => {
    const made = makeGate();
    const times = { unread: 40, checkUnreadEvery: 5, notice: 0, finish: 1_000 };
    const started = await open(
      async () => {
        await made.isOpen;
        return ok({});
      },
      { times },
    );
    const last = HEAD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const waiting = await Promise.all(Array.from({ length: LIMIT + 2 }, () => send(started, last)));
    // Waits longer than the time-out of an unread response.
    const unread = await open(large, { times });
    await send(unread, HEAD);
    await until(() => countCutOff(unread) === 1);
    await unread.close();
    app = started;
    made.open();
    for (const { read } of waiting) read();
    await until(() => waiting.every(({ state }) => state.statuses.length === 1));
    expect(countCutOff(started)).to.equal(0);
  });

  it('are closed beyond the limit of a client, oldest first, and those of other clients stay open', async () => {
    const started = await open(large, { times: { checkUnreadEvery: 10, notice: 0, finish: 1_000 } });
    const other = await send(started, HEAD, BOB);
    const own: Awaited<ReturnType<typeof send>>[] = [];
    for (let count = 0; count < LIMIT + 2; count += 1) own.push(await send(started, HEAD));
    await until(() => countCutOff(started) === 2);
    for (const { read } of [other, ...own]) read();
    await until(() => [other, ...own.slice(2)].every(({ state }) => state.length > LARGE.length));
    expect(own.slice(0, 2).every(({ state }) => state.length < LARGE.length)).to.equal(true);
    expect(crowdedCounts(started)).to.deep.equal([LIMIT]);
  });

  it('are closed beyond the limit of all clients, starting with the client that has the most', async () => {
    const started = await open(large, {
      maxOpenHeads: 1,
      times: { checkUnreadEvery: 10, notice: 0, finish: 1_000 },
    });
    const all: Awaited<ReturnType<typeof send>>[] = [];
    for (const last of [2, 3, 4, 5, 6]) all.push(await send(started, HEAD, `127.0.0.${last}`));
    await until(() => countCutOff(started) === 1);
    for (const { read } of all) read();
    await until(() => all.slice(1).every(({ state }) => state.length > LARGE.length));
    expect(all[0]?.state.length).to.be.lessThan(LARGE.length);
    expect(crowdedCounts(started)).to.deep.equal([4]);
  });

  it('are logged once a minute for each limit that they exceed', async () => {
    let requests = 0;
    const countRequest = async () => {
      requests += 1;
      return large();
    };
    const times = { checkUnreadEvery: 10, notice: 0, finish: 1_000 };
    const started = await open(countRequest, { maxOpenHeads: 1, times });
    const sendFrom = async (client: string) => {
      const requestsBefore = requests;
      await send(started, HEAD, client);
      await until(() => requests > requestsBefore);
    };
    for (let count = 0; count < 3; count += 1) await sendFrom(ADA);
    await until(() => countCutOff(started) === 2);
    for (const last of [3, 4, 5, 6]) await sendFrom(`127.0.0.${last}`);
    await until(() => countCutOff(started) === 3);
    expect(crowdedCounts(started)).to.deep.equal([1, 4]);
  });

  it('have at most 8 requests in progress each, and all requests of a client are answered', async () => {
    let [current, highest, count] = [0, 0, 0];
    const started = await open(async () => {
      current += 1;
      count += 1;
      highest = Math.max(highest, current);
      for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
      current -= 1;
      return ok({});
    });
    const { state, read } = await send(started, HEAD.repeat(300));
    read();
    await until(() => state.statuses.length === 300);
    expect([count, highest]).to.deep.equal([300, 8]);
  });

  it('have one request in progress each beyond 512 in total', async () => {
    let count = 0;
    const finished = makeGate();
    const started = await open(
      async () => {
        count += 1;
        await finished.isOpen;
        return ok({});
      },
      { maxOpenHeads: 1_000 },
    );
    const own = await Promise.all(Array.from({ length: 100 }, () => send(started, HEAD.repeat(8))));
    for (const { read } of own) read();
    await until(() => count >= 512);
    for (let turns = 0; turns < 100; turns += 1) await new Promise(setImmediate);
    expect(count).to.be.within(512, 512 + own.length);
    finished.open();
    await until(() => own.every(({ state }) => state.statuses.length === 8));
  });

  it('begin 64 requests in a turn of the event loop, of all clients together', async () => {
    let [current, highest, count] = [0, 0, 0];
    const started = await open(
      async () => {
        current += 1;
        count += 1;
        highest = Math.max(highest, current);
        return ok({});
      },
      { maxOpenHeads: 1_000 },
    );
    const own = await Promise.all(
      Array.from({ length: 240 }, (_, at) => send(started, '', `127.0.0.${2 + (at % 4)}`)),
    );
    for (const { socket, read } of own) {
      read();
      socket.write(HEAD);
    }
    // Node.js accepts one connection in a turn of the event loop.
    await until(() => count === own.length);
    [current, highest] = [0, 0];
    for (const { socket } of own) socket.write(HEAD);
    while (count < 2 * own.length) {
      await new Promise(setImmediate);
      current = 0;
    }
    // One round of this loop may span two turns.
    expect(highest).to.be.within(1, 128);
  });

  it('are not read before their turn while others wait', async () => {
    let count = 0;
    const started = await open(
      async () => {
        count += 1;
        return ok({});
      },
      { maxOpenHeads: 1_000 },
    );
    const own = await Promise.all(Array.from({ length: 240 }, () => send(started, HEAD)));
    await until(() => count === own.length);
    const arePaused: boolean[] = [];
    const accepted: Socket[] = [];
    const inTurn = new Set<Socket>();
    const record = (message: unknown) => {
      const { socket } = message as { readonly socket: Socket };
      arePaused.push(socket.isPaused());
      accepted.push(socket);
      socket.on('data', () => inTurn.add(socket));
    };
    subscribe('net.server.socket', record);
    for (const { socket } of own) socket.write(HEAD);
    await Promise.all(Array.from({ length: 20 }, () => send(started, HEAD.repeat(1_000), BOB)));
    const readAhead = () => accepted.filter((socket) => socket.bytesRead > 0 && !inTurn.has(socket));
    while (inTurn.size < 20) {
      expect(readAhead()).to.have.length(0);
      await new Promise(setImmediate);
    }
    unsubscribe('net.server.socket', record);
    expect(arePaused).to.include(true);
  });

  for (const [what, post] of [
    ['a body of a stated length', 'Content-Length: 4\r\n\r\n{  }'],
    ['a chunked body', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n3\r\n  }\r\n0\r\n\r\n'],
  ] as const) {
    it(`have every request answered if requests with ${what} are pipelined and split anywhere`, async () => {
      const started = await open(async () => ok({}));
      const request = `POST /thing HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${post}`;
      for (const size of [7, 61, 1_000_000]) {
        const { state, socket, read } = await send(started, '');
        read();
        const bytes = Buffer.from(request.repeat(40));
        for (let at = 0; at < bytes.length; at += size) {
          if (!socket.write(bytes.subarray(at, at + size))) await once(socket, 'drain');
        }
        await until(() => state.statuses.length >= 40);
        expect(state.statuses).to.deep.equal(Array(40).fill('HTTP/1.1 200'));
      }
    });
  }

  it('have all requests, also waiting ones, logged as 499 and no longer counted after they close', async () => {
    const started = await open(() => new Promise<never>(() => undefined));
    const { socket } = await send(started, HEAD.repeat(3));
    await until(() => started.counts !== undefined && socket.bytesWritten > 0);
    // The server has accepted a connection that was opened later.
    const last = await send(started, HEAD);
    await until(() => last.socket.bytesWritten > 0);
    socket.destroy();
    await until(() => countCutOff(started) === 3);
    last.socket.destroy();
    await until(() => countCutOff(started) === 4);
    await started.close();
    const draining = started.lines.find(({ event }) => event === 'server.draining');
    expect(draining?.fields).to.include({ count: 0 });
  });

  it('are closed at the limit of all connections, starting with the client that has the most', async () => {
    const started = await open(async () => ok({}), { maxConnections: 4, maxOpenHeads: 256 });
    const own: Awaited<ReturnType<typeof send>>[] = [];
    for (let count = 0; count < 3; count += 1) own.push(await send(started, 'GET'));
    const other = await send(started, 'GET', BOB);
    for (const { read } of [...own, other]) read();
    const { status } = await new Promise<{ status: string }>((resolve) => {
      void send(started, HEAD, EVE).then(async ({ state, read }) => {
        read();
        await until(() => state.statuses.length === 1);
        resolve({ status: state.statuses[0] ?? '' });
      });
    });
    expect(status).to.equal('HTTP/1.1 200');
    await until(() => own[0]?.state.hasEnded === true);
    expect([...own.slice(1), other].some(({ state }) => state.hasEnded)).to.equal(false);
  });

  it('each receive their own part of a buffer that several responses share', async () => {
    const memory = new Uint8Array(80_000).fill(1, 0, 40_000).fill(2, 40_000);
    let count = 0;
    const started = await open(async () => {
      count += 1;
      return { status: 200, body: memory.subarray((count - 1) * 40_000, count * 40_000) };
    });
    const answers = await Promise.all(
      [1, 2].map(async () => new Uint8Array(await (await fetch(`${started.url}/thing`)).arrayBuffer())),
    );
    expect(answers.map((bytes) => [bytes.length, new Set(bytes).size])).to.deep.equal([
      [40_000, 1],
      [40_000, 1],
    ]);
    expect(new Set(answers.map(([byte]) => byte)).size).to.equal(2);
  });

  it('share the bytes of equal responses, and are closed oldest first if large ones take too much memory', async () => {
    const distinct = [1, 2, 3].map((fill) => Buffer.alloc(24_000_000, fill));
    let count = 0;
    const started = await open(
      async () => {
        count += 1;
        const number = count <= 3 ? 0 : count - 3;
        return { status: 200, body: distinct[number] ?? LARGE, bytesId: `picture ${number}` };
      },
      { maxOpenHeads: 256 },
    );
    for (let sent = 1; sent <= 4; sent += 1) {
      await send(started, HEAD);
      await until(() => count === sent);
    }
    expect(countCutOff(started)).to.equal(0);
    // Three pictures take 72 MB: the three responses with the first picture are cut off.
    await send(started, HEAD);
    await until(() => countCutOff(started) === 3);
    const { status } = await ask(`${started.url}/none`);
    expect(status).to.equal(404);
  });
});
