import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { healthRoutes } from '../../../../servers/http/health.ts';
import { ok } from '../../../../servers/http/response-body.ts';
import { makeGate } from '../../../support/gate.ts';
import { until } from '../../../support/until.ts';
import { ask, startApp, testRoute } from '../start-app.ts';

/** A route that answers after `open()`; `arrived` resolves after `expected` requests have reached the route. */
const makeSlowRoute = (expected = 1) => {
  const [reached, answered] = [makeGate(), makeGate()];
  let count = 0;
  const run = async () => {
    count += 1;
    if (count === expected) reached.open();
    await answered.isOpen;
    return ok({ done: true });
  };
  return { route: testRoute({ path: '/slow', run }), open: answered.open, arrived: reached.isOpen };
};

describe('A closing server', () => {
  it('answers pending requests, ends their connections, and accepts no others', async () => {
    const gate = makeSlowRoute(20);
    const app = await startApp([gate.route]);
    const agent = new Agent({ keepAlive: true });
    const sent = Array.from({ length: 20 }, () => request(`${app.url}/slow`, { agent }).end());
    const answers = Promise.all(sent.map(async (req) => (await once(req, 'response'))[0]));
    await gate.arrived;
    const closed = app.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    // A late connection may still be answered, so it must not request the slow route; soon all are refused.
    await until(async () => (await ask(`${app.url}/none`).catch((error) => error.code)) === 'ECONNREFUSED');
    gate.open();
    for (const answer of await answers) {
      expect([answer.statusCode, answer.headers.connection]).to.deep.equal([200, 'close']);
      answer.resume();
    }
    await closed;
    expect(app.lines.map(({ event }) => event).slice(-2)).to.deep.equal(['server.draining', 'server.closed']);
  });

  it('answers every request of clients that keep sending, and breaks no connection that they reuse', async () => {
    const app = await startApp([testRoute({})], {}, { times: { notice: 500, finish: 5_000 } });
    let [answered, broken] = [0, 0];
    const client = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (;;) {
        const sent = request(`${app.url}/thing`, { agent }).end();
        const outcome = await once(sent, 'response').catch((error) => error);
        if (outcome instanceof Error) {
          if (sent.reusedSocket) broken += 1;
          break;
        }
        await once(outcome[0].resume(), 'end');
        answered += 1;
      }
      agent.destroy();
    };
    const clients = Promise.all([1, 2, 3, 4].map(client));
    while (answered < 40) await new Promise(setImmediate);
    await app.close();
    await clients;
    expect(broken).to.equal(0);
    expect(app.accessLines.filter(({ status }) => status === 200)).to.have.lengthOf(answered);
    expect(app.accessLines).to.have.lengthOf(answered);
  });

  it('answers the connections that wait to be accepted while earlier clients connect again', async () => {
    const app = await startApp([testRoute({})], {}, { times: { notice: 300, finish: 5_000 } });
    const clients = Array.from({ length: 16 }, async () => {
      for (let answered = 0; ; answered += 1) {
        const sent = request(`${app.url}/thing`, { agent: false }).end();
        const outcome = await once(sent, 'response').catch(({ code }) => code);
        if (typeof outcome === 'string') return { answered, outcome };
        await once(outcome[0].resume(), 'end');
      }
    });
    await app.close();
    for (const { answered, outcome } of await Promise.all(clients)) {
      expect(answered).to.be.above(0);
      expect(outcome).to.equal('ECONNREFUSED');
    }
  });

  it('is not ready as soon as closing begins', async () => {
    const closing = new AbortController();
    const routes = healthRoutes({ service: 's', version: '1', checks: [], closing: closing.signal });
    const app = await startApp(routes, {}, { closing, times: { notice: 150 } });
    expect((await ask(`${app.url}/health/ready`)).status).to.equal(200);
    const closed = app.close();
    const reply = await ask(`${app.url}/health/ready`);
    expect([reply.status, reply.headers.connection]).to.deep.equal([503, 'close']);
    expect(reply.headers).to.have.property('retry-after');
    await closed;
  });

  for (const [what, sent] of [
    ['no bytes', ''],
    ['half a head', 'GET /thing HTTP/1.1\r\nHo'],
    ['a request', 'GET /thing HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a request and half a head', 'GET /thing HTTP/1.1\r\nHost: a\r\n\r\nGET /th'],
  ] as const) {
    it(`does not wait for a connection that has sent ${what}`, async () => {
      const app = await startApp([testRoute({})], {}, { times: { notice: 20, finish: 30_000 } });
      const socket = connect(app.port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(sent);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const ended = once(socket.resume(), 'close');
      const began = performance.now();
      await app.close();
      await ended;
      expect(performance.now() - began).to.be.below(20_000);
    });
  }

  it('answers a request whose second half arrives during closing', async () => {
    const app = await startApp([testRoute({})], {}, { times: { notice: 300, finish: 5_000 } });
    const socket = connect(app.port, '127.0.0.1').setEncoding('latin1');
    await once(socket, 'connect');
    socket.write('GET /thing HTTP/1.1\r\nHo');
    const closed = app.close();
    await new Promise((resolve) => setTimeout(resolve, 400));
    socket.write('st: a\r\n\r\n');
    const [response] = await once(socket, 'data');
    expect(response).to.match(/^HTTP\/1.1 200 .*Connection: close/is);
    await closed;
    socket.destroy();
  });

  for (const [what, begun, end] of [
    ['an earlier request', '', 'GET /thing HTTP/1.1\r\nHost: a\r\n\r\n'],
    [
      'the end of an earlier body in chunks',
      'POST /thing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n',
      'a\r\n0\r\n\r\n',
    ],
  ] as const)
    it(`answers a request whose first half came with ${what}`, async () => {
      const routes = [testRoute({}), testRoute({ method: 'POST' })];
      const app = await startApp(routes, {}, { times: { notice: 300, finish: 5_000 } });
      const socket = connect(app.port, '127.0.0.1').setEncoding('latin1');
      await once(socket, 'connect');
      socket.write(begun);
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.write(`${end}GET /thing HTTP/1.1\r\nHo`);
      expect((await once(socket, 'data'))[0]).to.match(/^HTTP\/1.1 200 .*Connection: keep-alive/is);
      const closed = app.close();
      await until(async () => (await ask(`${app.url}/none`).catch((error) => error.code)) === 'ECONNREFUSED');
      socket.write('st: a\r\n\r\n');
      expect((await once(socket, 'data'))[0]).to.match(/^HTTP\/1.1 200 .*Connection: close/is);
      await closed;
      socket.destroy();
    });

  it('closes an idle connection at the end of the notice', async () => {
    const app = await startApp([testRoute({})], {}, { times: { notice: 500, finish: 5_000 } });
    const socket = connect(app.port, '127.0.0.1').setEncoding('latin1');
    await once(socket, 'connect');
    socket.write('GET /thing HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    const ended = once(socket, 'close');
    const began = performance.now();
    const closed = app.close();
    await ended;
    // Long before open requests are cut off.
    expect(performance.now() - began).to.be.below(4_000);
    await closed;
  });

  it('cuts off a response that takes too long, and logs the number of cut connections', async () => {
    const gate = makeSlowRoute();
    const app = await startApp([gate.route], {}, { times: { notice: 0, finish: 50 } });
    const outcome = ask(`${app.url}/slow`).catch((error) => error.code);
    await gate.arrived;
    await app.close();
    expect(await outcome).to.equal('ECONNRESET');
    expect(app.lines).to.deep.include({
      level: 'warn',
      event: 'server.cut',
      fields: { id: 'test', count: 1 },
    });
    gate.open();
  });

  it('closes once if `close` is called several times', async () => {
    const app = await startApp([testRoute({})]);
    await Promise.all([app.close(), app.close()]);
    await app.close();
    expect(app.lines.filter(({ event }) => event === 'server.closed')).to.have.lengthOf(1);
  });
});
