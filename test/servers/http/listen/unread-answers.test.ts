import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { ok } from '../../../../servers/http/response-body.ts';
import { makeGate } from '../../../support/gate.ts';
import { until } from '../../../support/until.ts';
import { ask, type Started, startApp, testRoute } from '../start-app.ts';

const MOST = 3;
const HEAD = 'GET /thing HTTP/1.1\r\nHost: a\r\n\r\n';
/** More bytes than the buffers of a connection take. */
const LARGE = Buffer.alloc(16_000_000, 'x');
const body = { type: 'object', properties: {} } as const;
const [ADA, BOB, EVE] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];

describe('Connections with answers under way', () => {
  let app: Started | undefined;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await app?.close();
  });

  const open = async (
    run: ReturnType<typeof testRoute>['run'],
    given: Parameters<typeof startApp>[2] = {},
  ): Promise<Started> => {
    const routes = [testRoute({ run }), testRoute({ method: 'POST', body, run })];
    app = await startApp(routes, {}, { maxOpenHeads: MOST, ...given });
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
  /** The statuses of the access log. A connection that the server ended is logged as 499. */
  const cutOff = (started: Started) => started.accessLines.filter(({ status }) => status === 499).length;
  /** The limits that the log names for connections that were closed for the sake of others. */
  const crowdedCounts = ({ lines }: Started) =>
    lines.filter(({ event }) => event === 'http.crowded').map(({ fields }) => fields.count);

  const large = async () => ({ status: 200, body: LARGE });

  it('end when their answer makes no progress, and not while it is read', async () => {
    const times = { unread: 300, checkUnreadEvery: 20, notice: 0, finish: 1_000 };
    const started = await open(large, { times });
    await send(started, HEAD);
    const reading = await send(started, HEAD);
    reading.read();
    await until(() => cutOff(started) === 1);
    await until(() => reading.state.length > LARGE.length);
    expect(reading.state.hasEnded).to.equal(false);
    expect(cutOff(started)).to.equal(1);
  });

  it('end when their streamed answer makes no progress', async () => {
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
    await until(() => cutOff(started) === 1);
    expect(started.accessLines.length).to.equal(1);
  });

  it('end a few in a turn of the event loop where many make no progress', async () => {
    const times = { unread: 400, checkUnreadEvery: 500, notice: 0, finish: 1_000 };
    const started = await open(large, { times, maxOpenHeads: 1_000 });
    await Promise.all(Array.from({ length: 150 }, () => send(started, HEAD)));
    let [before, highest] = [0, 0];
    while (before < 150) {
      await new Promise(setImmediate);
      highest = Math.max(highest, cutOff(started) - before);
      before = cutOff(started);
    }
    expect(highest).to.be.within(1, 64);
  });

  it('stay while the answer is being made, however long that takes', async () => {
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
    const waiting = await Promise.all(Array.from({ length: MOST + 2 }, () => send(started, last)));
    // As long as an unread answer would last several times.
    const unread = await open(large, { times });
    await send(unread, HEAD);
    await until(() => cutOff(unread) === 1);
    await unread.close();
    app = started;
    made.open();
    for (const { read } of waiting) read();
    await until(() => waiting.every(({ state }) => state.statuses.length === 1));
    expect(cutOff(started)).to.equal(0);
  });

  it('end beyond the limit of a client, the oldest first, and those of other clients stay', async () => {
    const started = await open(large, { times: { checkUnreadEvery: 10, notice: 0, finish: 1_000 } });
    const other = await send(started, HEAD, BOB);
    const own: Awaited<ReturnType<typeof send>>[] = [];
    for (let count = 0; count < MOST + 2; count += 1) own.push(await send(started, HEAD));
    await until(() => cutOff(started) === 2);
    for (const { read } of [other, ...own]) read();
    await until(() => [other, ...own.slice(2)].every(({ state }) => state.length > LARGE.length));
    expect(own.slice(0, 2).every(({ state }) => state.length < LARGE.length)).to.equal(true);
    expect(crowdedCounts(started)).to.deep.equal([MOST]);
  });

  it('end beyond the limit of all clients, the oldest of the client that has the most', async () => {
    const started = await open(large, {
      maxOpenHeads: 1,
      times: { checkUnreadEvery: 10, notice: 0, finish: 1_000 },
    });
    const all: Awaited<ReturnType<typeof send>>[] = [];
    for (const last of [2, 3, 4, 5, 6]) all.push(await send(started, HEAD, `127.0.0.${last}`));
    await until(() => cutOff(started) === 1);
    for (const { read } of all) read();
    await until(() => all.slice(1).every(({ state }) => state.length > LARGE.length));
    expect(all[0]?.state.length).to.be.lessThan(LARGE.length);
    expect(crowdedCounts(started)).to.deep.equal([4]);
  });

  it('are answered 8 requests at a time where a client sends many at once, and all in the end', async () => {
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

  it('are answered one request at a time where 512 are under way in all', async () => {
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

  it('begin 64 requests in a turn of the event loop, whoever sends them', async () => {
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
    // Node.js accepts one connection in a turn.
    await until(() => count === own.length);
    [current, highest] = [0, 0];
    for (const { socket } of own) socket.write(HEAD);
    while (count < 2 * own.length) {
      await new Promise(setImmediate);
      current = 0;
    }
    // What this loop counts may lie in two turns.
    expect(highest).to.be.within(1, 128);
  });

  it('are not even read before their turn while others wait for one', async () => {
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
    const arrived: Socket[] = [];
    const begun = new Set<Socket>();
    const look = (message: unknown) => {
      const { socket } = message as { readonly socket: Socket };
      arePaused.push(socket.isPaused());
      arrived.push(socket);
      socket.on('data', () => begun.add(socket));
    };
    subscribe('net.server.socket', look);
    for (const { socket } of own) socket.write(HEAD);
    await Promise.all(Array.from({ length: 20 }, () => send(started, HEAD.repeat(1_000), BOB)));
    const readAhead = () => arrived.filter((socket) => socket.bytesRead > 0 && !begun.has(socket));
    while (begun.size < 20) {
      expect(readAhead()).to.have.length(0);
      await new Promise(setImmediate);
    }
    unsubscribe('net.server.socket', look);
    expect(arePaused).to.include(true);
  });

  for (const [what, post] of [
    ['a length', 'Content-Length: 4\r\n\r\n{  }'],
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n3\r\n  }\r\n0\r\n\r\n'],
  ] as const) {
    it(`are answered all where requests with bodies in ${what} come at once, in pieces of any size`, async () => {
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

  it('are told to all who count them when they end, for requests that wait for another answer, too', async () => {
    const started = await open(() => new Promise<never>(() => undefined));
    const { socket } = await send(started, HEAD.repeat(3));
    await until(() => started.counts !== undefined && socket.bytesWritten > 0);
    // A request of another connection that arrives later has been taken in.
    const last = await send(started, HEAD);
    await until(() => last.socket.bytesWritten > 0);
    socket.destroy();
    await until(() => cutOff(started) === 3);
    last.socket.destroy();
    await until(() => cutOff(started) === 4);
    await started.close();
    const draining = started.lines.find(({ event }) => event === 'server.draining');
    expect(draining?.fields).to.include({ count: 0 });
  });

  it('make room at the limit of all connections, of the client that has the most', async () => {
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

  it('get each its own part of memory that several answers share', async () => {
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

  it('share the bytes of equal answers, and end the oldest where large ones take too much memory', async () => {
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
    expect(cutOff(started)).to.equal(0);
    // 72 MB of three pictures: the first, of three answers, gives way.
    await send(started, HEAD);
    await until(() => cutOff(started) === 3);
    const { status } = await ask(`${started.url}/none`);
    expect(status).to.equal(404);
  });
});
