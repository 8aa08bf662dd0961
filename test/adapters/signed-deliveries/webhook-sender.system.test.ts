import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { makeWebhookSender, type Target } from '../../../adapters/signed-deliveries/webhook-sender.ts';
import type { Clock } from '../../../core/ports.ts';
import { makeCertificate } from '../../support/servers/self-signed.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { receiveWebhooks } from '../../support/webhook-receiver.ts';

const SECRETS = [7, 8].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
const MESSAGE = { id: 'event-1', body: '{"type":"user.verified","data":{"userId":"é"}}' };
const clock: Clock = { now: () => Date.now() };

describe('The webhook sender', () => {
  const folder = useTempFolder();
  const cleanups: (() => void)[] = [];
  afterEach(() => {
    for (const close of cleanups.splice(0)) close();
  });

  const receive = async (answer?: RequestListener) => {
    const receiver = await receiveWebhooks(answer);
    cleanups.push(receiver.close);
    return receiver;
  };

  const open = (urls: readonly string[], options: { allowPrivate?: boolean; deadline?: number } = {}) => {
    const targets: readonly Target[] = urls.map((url) => ({ url, secrets: SECRETS }));
    const sender = makeWebhookSender({ targets, allowPrivate: true, clock, ...options });
    cleanups.push(sender.close);
    const [first] = sender.endpoints;
    return { sender, send: () => sender.send(first?.id ?? '', MESSAGE) };
  };

  it('signs with every secret, as the Standard Webhooks library verifies', async () => {
    const { seen: requests, url } = await receive();
    expect(await open([url]).send()).to.deep.equal({ outcome: 'sent' });
    const [request] = requests;
    expect(request?.body).to.equal(MESSAGE.body);
    expect(request?.headers).to.include({ 'content-type': 'application/json', 'webhook-id': 'event-1' });
    expect(String(request?.headers['webhook-signature']).split(' ')).to.have.length(2);
    for (const secret of SECRETS) {
      const headers = request?.headers as Record<string, string>;
      expect(new Webhook(secret).verify(request?.body ?? '', headers)).to.have.property(
        'type',
        'user.verified',
      );
    }
  });

  it('names an endpoint without its query, and identifies it by its whole URL', async () => {
    const { url } = await receive();
    const { sender } = open([url, 'https://example.com/x']);
    const [first] = sender.endpoints;
    expect(first?.name).to.equal(url.replace('?key=s3cret', ''));
    expect(first?.id).to.match(/^[0-9a-f]{16}$/);
    expect(sender.idOf(url)).to.equal(first?.id);
    expect(sender.idOf('https://example.com/y')).not.to.equal(first?.id);
    expect(await sender.send('other', MESSAGE)).to.deep.equal({ outcome: 'refused', failure: 'no_endpoint' });
  });

  it('follows no redirect, and reports any status but 2xx as a failure', async () => {
    const secondReceiver = await receive();
    for (const [status, headers, delivery] of [
      [302, { Location: secondReceiver.url }, { outcome: 'again', after: null, failure: 'status_302' }],
      [400, {}, { outcome: 'again', after: null, failure: 'status_400' }],
      [410, {}, { outcome: 'refused', failure: 'gone' }],
      [503, { 'Retry-After': '90' }, { outcome: 'again', after: 90_000, failure: 'status_503' }],
    ] as const) {
      const { url } = await receive((_, response) => response.writeHead(status, headers).end());
      expect(await open([url]).send(), String(status)).to.deep.equal(delivery);
    }
    expect(secondReceiver.seen).to.deep.equal([]);
  });

  it('times out if a receiver does not answer', async () => {
    const { url } = await receive(() => undefined);
    const { send } = open([url], { deadline: 50 });
    expect(await send()).to.deep.equal({ outcome: 'again', after: null, failure: 'timeout' });
  });

  it('has separate connections for each endpoint, so that one that hangs does not block others', async () => {
    const { port, seen: requests } = await receive((request, response) => {
      if (request.url === '/quick') response.writeHead(204).end();
    });
    const at = (path: string) => `http://127.0.0.1:${port}${path}`;
    const { sender } = open([at('/hangs'), at('/quick')], { deadline: 20_000 });
    const hanging = Array.from({ length: 40 }, () => sender.send(sender.idOf(at('/hangs')), MESSAGE));
    await until(() => requests.length > 0);
    const startedAt = performance.now();
    expect(await sender.send(sender.idOf(at('/quick')), MESSAGE)).to.deep.equal({ outcome: 'sent' });
    expect(performance.now() - startedAt).to.be.below(15_000);
    for (const close of cleanups.splice(0)) close();
    for (const { outcome } of await Promise.all(hanging)) expect(outcome).to.equal('again');
  });

  it('fails as unreachable if the receiver switches the protocol', async () => {
    const { url } = await receive((request) =>
      request.socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    );
    expect(await open([url]).send()).to.have.property('failure', 'unreachable');
  });

  it('returns the error code if the connection fails', async () => {
    const { url } = await receive((request) => request.socket.destroy());
    expect(await open([url]).send()).to.have.property('failure', 'econnreset');
    expect(await open(['http://127.0.0.1:1/']).send()).to.have.property('failure', 'econnrefused');
    expect(await open(['https://nobody.invalid/']).send()).to.have.property('failure', 'enotfound');
  });

  it('returns the outcome before the answer ends, and closes the connection of a long answer', async () => {
    let written = 0;
    let closed: Promise<unknown> = Promise.resolve();
    const { url } = await receive((_, response) => {
      closed = once(response, 'close');
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && written < 50_000_000) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
        }
      };
      more();
    });
    expect(await open([url], { deadline: 600_000 }).send()).to.deep.equal({ outcome: 'sent' });
    await closed;
    expect(written).to.be.below(50_000_000);
  });

  it('refuses a receiver with a self-signed certificate', async () => {
    const { cert, key } = makeCertificate(folder(), 'receiver');
    const server = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, (_, response) =>
      response.end(),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    expect(await open([`https://localhost:${port}/`]).send()).to.have.property(
      'failure',
      'depth_zero_self_signed_cert',
    );
  });

  it('connects to local and private addresses only if allowed, by name and by number', async () => {
    const { port, seen: requests } = await receive();
    for (const host of ['localhost', '127.0.0.1', '127.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254'])
      expect(await open([`http://${host}:${port}/`], { allowPrivate: false }).send(), host).to.deep.equal({
        ...{ outcome: 'again', after: null, failure: 'private_address' },
      });
    expect(requests).to.deep.equal([]);
    expect(await open([`http://localhost:${port}/`]).send()).to.deep.equal({ outcome: 'sent' });
  });
});
