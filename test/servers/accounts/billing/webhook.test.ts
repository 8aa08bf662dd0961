import { randomUUID } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { signDelivery } from '../../../../adapters/signed-deliveries/signature.ts';
import {
  CHOSEN_SECRET,
  DECODED_SECRET,
  deliverEvent,
  type EventDelivery,
  polarSettings,
} from '../../../support/deliver-event.ts';
import { useService } from '../../../support/service.ts';

const body = '{"type":"order.paid","timestamp":"2026-01-01T00:00:00Z","data":{"name":"Zoë","amount":1.0}}';

describe('A webhook delivery', () => {
  const service = useService(polarSettings('http://127.0.0.1:9'));
  const send = (change: Partial<EventDelivery> = {}) => deliverEvent(service().url, { body, ...change });
  const expectAccepted = async (change: Partial<EventDelivery>, label: string) => {
    expect(await send(change), label).to.deep.include({ status: 200, body: { received: true } });
  };

  it('is accepted with each of the secrets, and refused if it was tampered with', async () => {
    for (const secret of [DECODED_SECRET, CHOSEN_SECRET]) await expectAccepted({ secret }, secret);
    const headers = signDelivery(DECODED_SECRET, { id: randomUUID(), body }, Date.now());
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const tampered: Readonly<Record<string, Partial<EventDelivery>>> = {
      'no signature': { headers: { 'webhook-signature': undefined } },
      'another secret': { secret: other },
      'an old timestamp': { age: 302_000 },
      'a body changed by a byte': { headers, sent: body.replace('1.0', '9.0') },
      'a body serialized again': { headers, sent: JSON.stringify(JSON.parse(body)) },
      'a body after a byte order mark': { headers, sent: `\uFEFF${body}` },
      'no body': { headers, sent: '' },
      'a body in another encoding': { headers, sent: Buffer.from(body, 'latin1') },
    };
    for (const [label, change] of Object.entries(tampered)) {
      const { status, code } = await send(change);
      expect([status, code], label).to.deep.equal([403, 'invalid_signature']);
    }
    await expectAccepted({ headers }, 'unchanged');
  });

  it('is accepted with any content type, and compressed', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/octet-stream',
      'nonsense',
    ]) {
      await expectAccepted({ headers: { 'Content-Type': type } }, type);
    }
    await expectAccepted({ sent: gzipSync(body), headers: { 'Content-Encoding': 'gzip' } }, 'gzip');
    await expectAccepted({ sent: deflateSync(body), headers: { 'Content-Encoding': 'deflate' } }, 'deflate');
    const wrong = gzipSync(body.replace('1.0', '9.0'));
    expect((await send({ sent: wrong, headers: { 'Content-Encoding': 'gzip' } })).status).to.equal(403);
  });

  it('is refused for its size before its signature is checked', async () => {
    const longest = `"${'x'.repeat(262_142)}"`;
    await expectAccepted({ body: longest }, '256 KiB');
    for (const unsigned of [{}, { headers: { 'webhook-signature': 'x' } }]) {
      expect((await send({ body: `${longest} `, ...unsigned })).status).to.equal(413);
    }
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    expect((await send({ sent: bomb, headers: { 'Content-Encoding': 'gzip' } })).status).to.equal(413);
  });

  it('has an id of at most as many characters as the reference states', async () => {
    const { paths } = (await service().request('GET', '/openapi.json')).body;
    const { schema } = paths?.['/api/webhooks/drop']?.post?.parameters?.[0] ?? {};
    const longest = Number(schema?.maxLength);
    await expectAccepted({ id: 'x'.repeat(longest) }, 'longest');
    expect((await send({ id: 'x'.repeat(longest + 1) })).status).to.equal(403);
  });

  it('is accepted if it is empty or not JSON', async () => {
    for (const text of ['', 'no JSON', '\u0000'])
      await expectAccepted({ body: text, sent: text === '' ? new Uint8Array() : text }, text);
  });

  it('leaves no secret and no body in the log', () => {
    const log = JSON.stringify(service().log.lines);
    for (const secret of [DECODED_SECRET, CHOSEN_SECRET, 'Zoë', 'v1,']) expect(log).not.to.include(secret);
  });
});

describe('Refused webhook deliveries', () => {
  const service = useService({ ...polarSettings('http://127.0.0.1:9'), RATE_LIMIT_DEFAULT: '5' });

  it('count toward the rate limit of their sender, and verified ones do not', async () => {
    const { url } = service();
    const wrong = () => deliverEvent(url, { body, headers: { 'webhook-signature': 'v1,x' } });
    for (let count = 0; count < 20; count += 1)
      expect((await deliverEvent(url, { body })).status).to.equal(200);
    for (let count = 0; count < 5; count += 1) expect((await wrong()).status).to.equal(403);
    const { status, code } = await wrong();
    expect([status, code]).to.deep.equal([429, 'rate_limited']);
    // The provider may share an address with an attacker.
    for (let count = 0; count < 5; count += 1)
      expect((await deliverEvent(url, { body })).status).to.equal(200);
  });
});
