import { expect } from 'chai';
import { type Started, sendRaw, startApp, testRoute } from '../start-app.ts';

const END = 'Connection: close\r\n\r\n';
const head = (...lines: readonly string[]) => ['GET /thing HTTP/1.1', ...lines, END].join('\r\n');

/** Parses the last response of a connection. */
const lastAnswer = (text: string) => {
  const [top = '', body = ''] = text.slice(text.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n');
  const [line = '', ...lines] = top.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((item) => [item.slice(0, item.indexOf(':')).toLowerCase(), item.slice(item.indexOf(':') + 2)]),
  );
  return { status: Number(line.split(' ')[1]), headers, body: body === '' ? undefined : JSON.parse(body) };
};

for (const style of ['account', 'metadata'] as const) {
  describe(`A request to the ${style} service`, () => {
    let app: Started;
    /** A server whose time-out of half a second still suffices to read a whole head. */
    let impatientApp: Started;
    before(async () => {
      const body = { type: 'object', properties: {} } as const;
      const routes = [testRoute({}), testRoute({ method: 'POST', body })];
      app = await startApp(routes, { style }, { times: { idle: 80, notice: 0, finish: 500 } });
      const times = { headers: 500, request: 500, checkEvery: 20, notice: 0, finish: 500 };
      impatientApp = await startApp(routes, { style }, { times });
    });
    after(async () => {
      await app.close();
      await impatientApp.close();
    });

    const expectRefused = async (text: string, status: number, code: string) => {
      const { port } = status === 408 ? impatientApp : app;
      const answer = lastAnswer(await sendRaw(port, text));
      expect(answer.status).to.equal(status);
      const expectedCode = style === 'metadata' && status === 400 ? 'invalid_request' : code;
      const members = style === 'account' ? ['message', 'code'] : ['message', 'error'];
      expect(answer.body).to.have.all.keys(members);
      expect(answer.body[style === 'account' ? 'code' : 'error']).to.equal(expectedCode);
      expect(answer.headers).to.include({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        connection: 'close',
      });
      expect(answer.headers['x-request-id']).to.match(/^[\w.-]{1,64}$/);
      return answer;
    };

    it('is refused if it is not HTTP or has a malformed header', async () => {
      await expectRefused('\x16\x03\x01\x02\x00\x01\x00', 400, 'invalid_http');
      await expectRefused(head('Host: a', 'Content-Length : 4'), 400, 'invalid_http');
    });

    it('is refused if its head is too large', () =>
      expectRefused(head('Host: a', `X-Fill: ${'x'.repeat(17_000)}`), 431, 'headers_too_large'));

    it('is refused if it has too many headers to be read, among which X-Forwarded-For may be lost', async () => {
      const fill = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: a`);
      await expectRefused(head('Host: a', ...fill(98), 'X-Forwarded-For: b'), 431, 'headers_too_large');
      expect(lastAnswer(await sendRaw(app.port, head('Host: a', ...fill(98)))).status).to.equal(200);
    });

    it('is refused under its own request id if it takes too long', async () => {
      const request =
        'POST /thing HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nX-Request-Id: r8\r\n';
      const { headers } = await expectRefused(`${request}Content-Length: 9\r\n\r\n{`, 408, 'request_timeout');
      expect(headers['x-request-id']).to.equal('r8');
      await expectRefused('GET /thing HTTP/1.1\r\n', 408, 'request_timeout');
    });

    it('is refused if it has an unknown expectation', () =>
      expectRefused(head('Host: a', 'Expect: 200-ok'), 417, 'expectation_failed'));

    it('is refused if its target is not a URL or has a backslash, which a parser reads as a slash', async () => {
      for (const target of [
        'http://[',
        'http://[/thing',
        'http://[::1',
        '/users\\thing?a#b',
        'http://a/users\\thing',
      ])
        await expectRefused(head('Host: a').replace('/thing', target), 400, 'invalid_http');
    });

    it('is refused if it has no Host header, or several', async () => {
      for (const hosts of [
        [],
        ['Host: a', 'Host: b'],
        ['Host: a', 'hOST: a'],
        ['Host: a', 'X-A: b', 'Host:'],
      ])
        await expectRefused(head(...hosts), 400, 'invalid_host');
    });

    it('is logged under the request id of its response if it is malformed', async () => {
      const { headers } = await expectRefused('nonsense\r\n\r\n', 400, 'invalid_http');
      expect(app.lines.at(-1)).to.deep.equal({
        level: 'info',
        event: 'http.unreadable',
        fields: { requestId: headers['x-request-id'], reason: 'invalid_http', address: '127.0.0.1' },
      });
    });

    it('is accepted with Expect: 100-continue or HTTP/1.0', async () => {
      const expecting = head('Host: a', 'Expect: 100-continue');
      expect(lastAnswer(await sendRaw(app.port, expecting)).status).to.equal(200);
      expect(lastAnswer(await sendRaw(app.port, `GET /thing HTTP/1.0\r\n${END}`)).status).to.equal(200);
    });
  });
}
