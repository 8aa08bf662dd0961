import { expect } from 'chai';
import { converse, type Started, startApp, testRoute } from '../start-app.ts';

const END = 'Connection: close\r\n\r\n';
const head = (...lines: readonly string[]) => ['GET /thing HTTP/1.1', ...lines, END].join('\r\n');

/** The last answer that was heard, taken apart. */
const lastAnswer = (heard: string) => {
  const [top = '', body = ''] = heard.slice(heard.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n');
  const [line = '', ...lines] = top.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 2)]),
  );
  return { status: Number(line.split(' ')[1]), headers, body: body === '' ? undefined : JSON.parse(body) };
};

for (const style of ['account', 'metadata'] as const) {
  describe(`A request that cannot be read, in the ${style} service,`, () => {
    let app: Started;
    /** Waits for a request half a second: a whole head must be read by then. */
    let hasty: Started;
    before(async () => {
      const body = { type: 'object', properties: {} } as const;
      const routes = [testRoute({}), testRoute({ method: 'POST', body })];
      app = await startApp(routes, { style }, { times: { idle: 80, notice: 0, finish: 500 } });
      const times = { headers: 500, request: 500, checkEvery: 20, notice: 0, finish: 500 };
      hasty = await startApp(routes, { style }, { times });
    });
    after(async () => {
      await app.close();
      await hasty.close();
    });

    const expectRefused = async (text: string, status: number, code: string) => {
      const { port } = status === 408 ? hasty : app;
      const answer = lastAnswer(await converse(port, text));
      expect(answer.status).to.equal(status);
      const word = style === 'metadata' && status === 400 ? 'invalid_request' : code;
      const members = style === 'account' ? ['message', 'code'] : ['message', 'error'];
      expect(answer.body).to.have.all.keys(members);
      expect(answer.body[style === 'account' ? 'code' : 'error']).to.equal(word);
      expect(answer.headers).to.include({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        connection: 'close',
      });
      expect(answer.headers['x-request-id']).to.match(/^[\w.-]{1,64}$/);
      return answer;
    };

    it('is told so', async () => {
      await expectRefused('\x16\x03\x01\x02\x00\x01\x00', 400, 'invalid_http');
      await expectRefused(head('Host: a', 'Content-Length : 4'), 400, 'invalid_http');
    });

    it('is told when its head is too large', () =>
      expectRefused(head('Host: a', `X-Fill: ${'x'.repeat(17_000)}`), 431, 'headers_too_large'));

    it('is told when it has more headers than are read, which may hide the client of a proxy', async () => {
      const fill = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: a`);
      await expectRefused(head('Host: a', ...fill(98), 'X-Forwarded-For: b'), 431, 'headers_too_large');
      expect(lastAnswer(await converse(app.port, head('Host: a', ...fill(98)))).status).to.equal(200);
    });

    it('is told when it takes too long, under the id it came with', async () => {
      const request =
        'POST /thing HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nX-Request-Id: r8\r\n';
      const { headers } = await expectRefused(`${request}Content-Length: 9\r\n\r\n{`, 408, 'request_timeout');
      expect(headers['x-request-id']).to.equal('r8');
      await expectRefused('GET /thing HTTP/1.1\r\n', 408, 'request_timeout');
    });

    it('is told when it expects what nobody does', () =>
      expectRefused(head('Host: a', 'Expect: 200-ok'), 417, 'expectation_failed'));

    it('is told when its target is no URL, or has a backslash that would be read as a slash', async () => {
      for (const target of ['http://[', 'http://[/thing', 'http://[::1', '/users\\thing?a#b'])
        await expectRefused(head('Host: a').replace('/thing', target), 400, 'invalid_http');
    });

    it('is told when it names no host, or more than one', async () => {
      for (const hosts of [
        [],
        ['Host: a', 'Host: b'],
        ['Host: a', 'hOST: a'],
        ['Host: a', 'X-A: b', 'Host:'],
      ])
        await expectRefused(head(...hosts), 400, 'invalid_host');
    });

    it('is logged under the id that its answer has', async () => {
      const { headers } = await expectRefused('nonsense\r\n\r\n', 400, 'invalid_http');
      expect(app.lines.at(-1)).to.deep.equal({
        level: 'info',
        event: 'http.unreadable',
        fields: { requestId: headers['x-request-id'], reason: 'invalid_http', address: '127.0.0.1' },
      });
    });

    it('is none that expects to be told to go on, or that is of HTTP/1.0', async () => {
      const expecting = head('Host: a', 'Expect: 100-continue');
      expect(lastAnswer(await converse(app.port, expecting)).status).to.equal(200);
      expect(lastAnswer(await converse(app.port, `GET /thing HTTP/1.0\r\n${END}`)).status).to.equal(200);
    });
  });
}
