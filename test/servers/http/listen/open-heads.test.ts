import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { makeGate } from '../../../support/gate.ts';
import { until } from '../../../support/until.ts';
import { type Started, startApp, testRoute } from '../start-app.ts';

const LIMIT = 3;
const HALF = 'GET /thing HTTP/1.1\r\nHost: a\r\n';
const WHOLE = `${HALF}\r\n`;
const HALF_A_BODY =
  'POST /thing HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{';
const A_BODY = HALF_A_BODY.replace('9', '2').concat('}');
/** Two clients on this machine. */
const [CLIENT, OTHER_CLIENT] = ['127.0.0.2', '127.0.0.3'];
const body = { type: 'object', properties: {} } as const;

describe('Connections that wait for a request', () => {
  let app: Started | undefined;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await app?.close();
  });

  const open = async (options: Parameters<typeof startApp>[2] = {}, answer?: Promise<void>) => {
    const run: ReturnType<typeof testRoute>['run'] = async () => {
      await answer;
      return { status: 204 };
    };
    const routes = [testRoute({ run }), testRoute({ method: 'POST', body, run })];
    app = await startApp(routes, {}, { maxOpenHeads: LIMIT, ...options });
    return app;
  };

  const send = async ({ port }: Started, from: string, text: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }).setEncoding('latin1');
    sockets.push(socket);
    const state = { socket, text: '', ended: false };
    socket.on('data', (chunk) => {
      state.text += chunk;
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
  const untilDone = (state: { readonly text: string }) => until(() => state.text.startsWith('HTTP/1.1 204'));

  for (const [what, text] of [
    ['half a head', HALF],
    ['half a body', HALF_A_BODY],
    ['no bytes', ''],
    ['a whole request', WHOLE],
  ] as const) {
    it(`are closed beyond the limit of a client, oldest first, after ${what}, and other clients are served`, async () => {
      const started = await open();
      const [first, second, ...others] = await sendEach(started, CLIENT, Array(LIMIT + 2).fill(text));
      await until(() => first?.ended === true && second?.ended === true);
      const bystander = await send(started, OTHER_CLIENT, HALF);
      await untilDone(await send(started, OTHER_CLIENT, WHOLE));
      await untilDone(await send(started, CLIENT, WHOLE));
      expect(others.slice(1).map(({ ended }) => ended)).to.deep.equal(Array(LIMIT - 1).fill(false));
      expect(bystander.ended).to.equal(false);
    });
  }

  it('accept the rest of the request unless they were closed', async () => {
    const started = await open();
    const remaining = (await sendEach(started, CLIENT, Array(LIMIT + 2).fill(HALF))).slice(2);
    expect(remaining.filter(({ ended }) => ended)).to.deep.equal([]);
    for (const { socket } of remaining) socket.write('\r\n');
    await Promise.all(remaining.map(untilDone));
  });

  it('are closed beyond the limit if half a body follows a whole request at once', async () => {
    const started = await open();
    const states = await sendEach(started, CLIENT, Array(LIMIT + 2).fill(`${A_BODY}${HALF_A_BODY}`));
    await until(() => states.filter(({ ended }) => ended).length === 2);
    await Promise.all(states.filter(({ ended }) => !ended).map(untilDone));
    // The first requests have been answered by now, but the connections still count.
    await sendEach(started, CLIENT, [HALF_A_BODY]);
    await until(() => states.filter(({ ended }) => ended).length > 2);
    expect(states.filter(({ ended }) => ended).length).to.equal(3);
  });

  it('are counted without those whose request is being answered', async () => {
    const answer = makeGate();
    const started = await open({}, answer.isOpen);
    const answering = await sendEach(started, CLIENT, Array(LIMIT * 2).fill(WHOLE));
    const waiting = await sendEach(started, CLIENT, Array(LIMIT + 1).fill(HALF));
    await until(() => waiting[0]?.ended === true);
    expect(answering.filter(({ ended }) => ended)).to.deep.equal([]);
    answer.open();
    await Promise.all(answering.slice(-LIMIT).map(untilDone));
  });

  it('are not limited from a trusted proxy, which forwards the requests of many clients', async () => {
    const started = await open({ trustedProxies: [CLIENT] });
    const forwarded = await sendEach(started, CLIENT, Array(LIMIT * 2).fill(HALF));
    const own = await sendEach(started, OTHER_CLIENT, Array(LIMIT + 1).fill(HALF));
    await until(() => own[0]?.ended === true);
    expect(forwarded.filter(({ ended }) => ended)).to.deep.equal([]);
    for (const { socket } of forwarded) socket.write('\r\n');
    await Promise.all(forwarded.map(untilDone));
  });

  it('are logged once a minute if they exceed the limit', async () => {
    const started = await open();
    const states = await sendEach(started, CLIENT, Array(LIMIT * 3).fill(HALF));
    await until(() => states.filter(({ ended }) => ended).length === LIMIT * 2);
    const crowdedLines = started.lines.filter(({ event }) => event === 'http.crowded');
    expect(crowdedLines).to.deep.equal([
      { level: 'warn', event: 'http.crowded', fields: { count: LIMIT, address: CLIENT } },
    ]);
  });
});
