import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { makeAskMetadata } from '../../../adapters/compose/metadata-health.ts';

describe('Asking the metadata service how it is', () => {
  let server: Server | undefined;
  const urls: (string | undefined)[] = [];
  const answering = async (listener: RequestListener) => {
    server = createServer((req, res) => {
      urls.push(req.url);
      listener(req, res);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server?.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const answerTo = async (text: string, status = 200) =>
    makeAskMetadata(await answering((_, res) => res.writeHead(status).end(text)))();

  before(async () => {
    // The first request of a process loads `fetch`, which may take longer than the second that there is for an answer.
    await fetch(await answering((_, res) => res.end()));
    urls.length = 0;
  });

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  const SERVICE = { service: 'drop-metadata' };
  const WELL = { ...SERVICE, status: 'ok', down: [], up: [] };
  const UNREACHABLE = { ...SERVICE, status: 'unreachable', down: [], up: [] };

  it('asks nobody where no address is set', async () => {
    expect(await makeAskMetadata(null)()).to.equal(null);
  });

  it('gives what its health says, at the address with or without a slash at the end', async () => {
    const url = await answering((_, res) => res.end('{"status":"ok"}'));
    for (const address of [url, `${url}/`, `${url}/meta`])
      expect(await makeAskMetadata(address)()).to.deep.equal(WELL);
    expect(urls).to.deep.equal(['/health', '/health', '/meta/health']);
  });

  it('names what is down, and passes on nothing else', async () => {
    const down = JSON.stringify({ status: 'degraded', down: ['cache', 'oidc:x', '<b>', 7, 'x'.repeat(65)] });
    expect(await answerTo(down)).to.deep.equal({
      ...SERVICE,
      status: 'degraded',
      down: ['cache', 'oidc:x'],
      up: [],
    });
  });

  it('takes one that is asked too often for well', async () => {
    expect(await answerTo('', 429)).to.deep.equal(WELL);
  });

  for (const [what, text, status] of [
    ['no JSON', 'hello', 200],
    ['another JSON', '[]', 200],
    ['an error', '{"status":"ok"}', 500],
    ['a longer text than health has', `{"status":"ok","x":"${'x'.repeat(20_000)}"}`, 200],
    ['a redirect', '', 302],
  ] as const) {
    it(`says that it is unreachable when it answers with ${what}`, async () => {
      expect(await answerTo(text, status)).to.deep.equal(UNREACHABLE);
    });
  }

  it('says so, too, of one that is not there, or does not answer in time', async () => {
    expect(await makeAskMetadata('http://127.0.0.1:1')()).to.deep.equal(UNREACHABLE);
    const began = performance.now();
    expect(await makeAskMetadata(await answering(() => undefined))()).to.deep.equal(UNREACHABLE);
    expect(performance.now() - began).to.be.within(500, 20_000);
  });
});
