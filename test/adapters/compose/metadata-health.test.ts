import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { makeAskMetadata } from '../../../adapters/compose/metadata-health.ts';

describe('The health check of the metadata service', () => {
  let server: Server | undefined;
  const urls: (string | undefined)[] = [];
  const listen = async (listener: RequestListener) => {
    server = createServer((req, res) => {
      urls.push(req.url);
      listener(req, res);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server?.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const answerTo = async (text: string, status = 200) =>
    makeAskMetadata(await listen((_, res) => res.writeHead(status).end(text)))();

  before(async () => {
    // The first request of a process loads `fetch`, which may take longer than the time-out of one second.
    await fetch(await listen((_, res) => res.end()));
    urls.length = 0;
  });

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  const SERVICE = { service: 'drop-metadata' };
  const HEALTHY = { ...SERVICE, status: 'ok', down: [], up: [] };
  const UNREACHABLE = { ...SERVICE, status: 'unreachable', down: [], up: [] };

  it('returns null if no address is set', async () => {
    expect(await makeAskMetadata(null)()).to.equal(null);
  });

  it('returns the status of /health for an address with or without a trailing slash', async () => {
    const url = await listen((_, res) => res.end('{"status":"ok"}'));
    for (const address of [url, `${url}/`, `${url}/meta`])
      expect(await makeAskMetadata(address)()).to.deep.equal(HEALTHY);
    expect(urls).to.deep.equal(['/health', '/health', '/meta/health']);
  });

  it('lists the dependencies that are down, and drops malformed names', async () => {
    const down = JSON.stringify({ status: 'degraded', down: ['cache', 'oidc:x', '<b>', 7, 'x'.repeat(65)] });
    expect(await answerTo(down)).to.deep.equal({
      ...SERVICE,
      status: 'degraded',
      down: ['cache', 'oidc:x'],
      up: [],
    });
  });

  it('returns ok for a status of 429', async () => {
    expect(await answerTo('', 429)).to.deep.equal(HEALTHY);
  });

  for (const [label, text, status] of [
    ['an answer that is not JSON', 'hello', 200],
    ['JSON of another shape', '[]', 200],
    ['an error', '{"status":"ok"}', 500],
    ['an oversized answer', `{"status":"ok","x":"${'x'.repeat(20_000)}"}`, 200],
    ['a redirect', '', 302],
  ] as const) {
    it(`returns unreachable for ${label}`, async () => {
      expect(await answerTo(text, status)).to.deep.equal(UNREACHABLE);
    });
  }

  it('returns unreachable if the connection fails or the answer is late', async () => {
    expect(await makeAskMetadata('http://127.0.0.1:1')()).to.deep.equal(UNREACHABLE);
    const startedAt = performance.now();
    expect(await makeAskMetadata(await listen(() => undefined))()).to.deep.equal(UNREACHABLE);
    expect(performance.now() - startedAt).to.be.within(500, 20_000);
  });
});
