import { expect } from 'chai';
import { rawRequest } from '../../support/servers/raw-request.ts';
import { ask, useService } from '../../support/service.ts';
import { sendRaw } from '../http/start-app.ts';

const NAMES = [
  ...['localhost', 'LOCALHOST', 'LocalHost', 'localhost:3001', 'localhost:1', 'localhost:65535'],
  ...['localhost.', 'localhost.:3001', 'files.localhost', 'a.b-c.LOCALHOST:80', 'files.localhost.'],
  ...['127.0.0.1', '127.0.0.1:3001', '127.255.0.9:80', '[::1]', '[::1]:3001'],
];

const OTHERS = [
  ...['example.com', 'example.com:3001', 'localhost.example.com', 'localhostx', 'xlocalhost', 'localhost..'],
  ...['127.0.0.1.example.com', '127.0.0.1.nip.io', '127.0.0', '127.1', '128.0.0.1', '0.0.0.0', '192.168.0.1'],
  ...['[::]', '[::2]', '[::1', '::1', '[::1].example.com', '[::ffff:10.0.0.1]', '10.0.0.1'],
  ...['localhost@example.com', 'example.com@localhost', 'localhost/example.com', 'localhost#example.com'],
  ...[
    'localhost,example.com',
    'localhost example.com',
    'localhost:',
    'localhost:x',
    'localhost:123456',
    '.localhost',
  ],
  ...['null', 'local', 'localhost:3001:3001', 'l\u00f6calhost'],
];

describe('The metadata service with META_AUTH=none', () => {
  const service = useService({ META_AUTH: 'none' });
  const requestWithHost = (host: string, path = '/api/v1/meta?userId=a', method = 'GET') =>
    rawRequest(service().metadataUrl, method, path, { headers: { Host: host } });

  it('serves requests on a loopback address without a secret', async () => {
    const { status, body } = await ask(service().metadataUrl, 'GET', '/api/v1/meta?userId=a');
    expect([status, body]).to.deep.equal([200, { files: [] }]);
  });

  for (const host of NAMES) {
    it(`accepts the Host ${host}`, async () => {
      expect((await requestWithHost(host)).status).to.equal(200);
    });
  }

  for (const host of OTHERS) {
    it(`refuses the Host '${host}'`, async () => {
      const { status, text } = await requestWithHost(host);
      expect([status, JSON.parse(text).error]).to.deep.equal([403, 'forbidden_host']);
    });
  }

  it('refuses a foreign Host before it checks the input', async () => {
    for (const [method, path] of [
      ['GET', '/api/v1/meta'],
      ['POST', '/api/v1/meta'],
      ['POST', '/api/v1/dek/unwrap'],
      ['DELETE', '/api/v1/meta/x'],
    ] as const) {
      const { status } = await requestWithHost('evil.example', path, method);
      expect(status, path).to.equal(403);
    }
  });

  it('needs one valid Host header, also for HTTP/1.0', async () => {
    const { port } = new URL(service().metadataUrl);
    const send = (version: string, host: string) =>
      sendRaw(Number(port), `GET /api/v1/meta?userId=a HTTP/${version}\r\n${host}Connection: close\r\n\r\n`);
    expect(await send('1.0', '')).to.match(/^HTTP\/1\.1 403 /);
    expect(await send('1.1', 'Host:\r\n')).to.match(/^HTTP\/1\.1 403 /);
    expect(await send('1.0', 'Host: localhost\r\n')).to.match(/^HTTP\/1\.1 200 /);
    expect(await send('1.1', '')).to.match(/^HTTP\/1\.1 400 /);
    // Node.js reads the first of two Host headers, but a proxy may read the second.
    expect(await send('1.1', 'Host: evil.example\r\nHost: localhost\r\n')).to.match(/^HTTP\/1\.1 4\d\d /);
  });

  it('refuses a cross-origin form request and a preflight request', async () => {
    const simple = await fetch(`${service().metadataUrl}/api/v1/meta`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', Origin: 'https://evil.example' },
      body: '{}',
    });
    expect(simple.status).to.equal(415);
    const preflight = await fetch(`${service().metadataUrl}/api/v1/meta`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).to.equal(null);
  });

  it('serves its health routes for any Host', async () => {
    for (const path of ['/health', '/api/health', '/health/ready']) {
      expect((await requestWithHost('metadata.example.com', path)).status).to.equal(200);
    }
  });
});
