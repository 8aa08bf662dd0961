import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { makeGate } from '../../../support/gate.ts';
import { until } from '../../../support/until.ts';
import { type Started, startApp, testRoute } from '../start-app.ts';

const MOST = 3;
const HALF = 'GET /thing HTTP/1.1\r\nHost: a\r\n';
const WHOLE = `${HALF}\r\n`;
const HALF_A_BODY =
  'POST /thing HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{';
const A_BODY = HALF_A_BODY.replace('9', '2').concat('}');
/** Two clients on this machine. */
const [ONE, OTHER] = ['127.0.0.2', '127.0.0.3'];
const body = { type: 'object', properties: {} } as const;

describe('Connections that wait for a request', () => {
  let app: Started | undefined;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await app?.close();
  });

  const open = async (given: Parameters<typeof startApp>[2] = {}, answered?: Promise<void>) => {
    const run: ReturnType<typeof testRoute>['run'] = async () => {
      await answered;
      return { status: 204 };
    };
    const routes = [testRoute({ run }), testRoute({ method: 'POST', body, run })];
    app = await startApp(routes, {}, { maxOpenHeads: MOST, ...given });
    return app;
  };

  /** Connects from an address and sends a text; the server has taken it in when this resolves. */
  const send = async ({ port }: Started, from: string, text: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }).setEncoding('latin1');
    sockets.push(socket);
    const state = { socket, heard: '', ended: false };
    socket.on('data', (chunk) => {
      state.heard += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      state.ended = true;
    });
    await once(socket, 'connect');
    socket.write(text);
    return state;
  };

  const sendEach = async (started: Started, from: string, texts: readonly string[]) => {
    const states: Awaited<ReturnType<typeof send>>[] = [];
    for (const text of texts) states.push(await send(started, from, text));
    return states;
  };
  const answered = (state: { readonly heard: string }) => until(() => state.heard.startsWith('HTTP/1.1 204'));

  for (const [what, text] of [
    ['half a head', HALF],
    ['half a body', HALF_A_BODY],
    ['nothing', ''],
    ['a whole request before', WHOLE],
  ] as const) {
    it(`end at the limit, the longest first, where a client sent ${what}, and other clients are served`, async () => {
      const started = await open();
      const [first, second, ...others] = await sendEach(started, ONE, Array(MOST + 2).fill(text));
      await until(() => first?.ended === true && second?.ended === true);
      const bystander = await send(started, OTHER, HALF);
      await answered(await send(started, OTHER, WHOLE));
      await answered(await send(started, ONE, WHOLE));
      expect(others.slice(1).map(({ ended }) => ended)).to.deep.equal(Array(MOST - 1).fill(false));
      expect(bystander.ended).to.equal(false);
    });
  }

  it('are good for the rest of the request where they did not have to give way', async () => {
    const started = await open();
    const kept = (await sendEach(started, ONE, Array(MOST + 2).fill(HALF))).slice(2);
    expect(kept.filter(({ ended }) => ended)).to.deep.equal([]);
    for (const { socket } of kept) socket.write('\r\n');
    await Promise.all(kept.map(answered));
  });

  it('end at the limit where half a body follows a whole request at once', async () => {
    const started = await open();
    const states = await sendEach(started, ONE, Array(MOST + 2).fill(`${A_BODY}${HALF_A_BODY}`));
    await until(() => states.filter(({ ended }) => ended).length === 2);
    await Promise.all(states.filter(({ ended }) => !ended).map(answered));
    // Their first requests are over by now, and they are counted all the same.
    await sendEach(started, ONE, [HALF_A_BODY]);
    await until(() => states.filter(({ ended }) => ended).length > 2);
    expect(states.filter(({ ended }) => ended).length).to.equal(3);
  });

  it('are not those whose request is being answered', async () => {
    const answer = makeGate();
    const started = await open({}, answer.isOpen);
    const asked = await sendEach(started, ONE, Array(MOST * 2).fill(WHOLE));
    const waiting = await sendEach(started, ONE, Array(MOST + 1).fill(HALF));
    await until(() => waiting[0]?.ended === true);
    expect(asked.filter(({ ended }) => ended)).to.deep.equal([]);
    answer.open();
    await Promise.all(asked.slice(-MOST).map(answered));
  });

  it('are not counted at a trusted proxy, which carries the requests of many', async () => {
    const started = await open({ trustedProxies: [ONE] });
    const carried = await sendEach(started, ONE, Array(MOST * 2).fill(HALF));
    const own = await sendEach(started, OTHER, Array(MOST + 1).fill(HALF));
    await until(() => own[0]?.ended === true);
    expect(carried.filter(({ ended }) => ended)).to.deep.equal([]);
    for (const { socket } of carried) socket.write('\r\n');
    await Promise.all(carried.map(answered));
  });

  it('are told of in the log once a minute', async () => {
    const started = await open();
    const states = await sendEach(started, ONE, Array(MOST * 3).fill(HALF));
    await until(() => states.filter(({ ended }) => ended).length === MOST * 2);
    const told = started.lines.filter(({ event }) => event === 'http.crowded');
    expect(told).to.deep.equal([
      { level: 'warn', event: 'http.crowded', fields: { count: MOST, address: ONE } },
    ]);
  });
});
