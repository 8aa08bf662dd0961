import { randomUUID } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { signDelivery } from '../../../../adapters/signed-deliveries/signature.ts';
import { CHOSEN, DECODED, type Drop, drop, polarSettings } from '../../../support/drop.ts';
import { useService } from '../../../support/service.ts';

const body = '{"type":"order.paid","timestamp":"2026-01-01T00:00:00Z","data":{"name":"Zoë","amount":1.0}}';

describe('A delivery at the door', () => {
  const service = useService(polarSettings('http://127.0.0.1:9'));
  const send = (given: Partial<Drop> = {}) => drop(service().url, { body, ...given });
  const accepted = async (given: Partial<Drop>, why: string) => {
    expect(await send(given), why).to.deep.include({ status: 200, body: { received: true } });
  };

  it('is taken in with any of the secrets, and refused when anything about it was tampered with', async () => {
    for (const secret of [DECODED, CHOSEN]) await accepted({ secret }, secret);
    const headers = signDelivery(DECODED, { id: randomUUID(), body }, Date.now());
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const tampered: Readonly<Record<string, Partial<Drop>>> = {
      'no signature': { headers: { 'webhook-signature': undefined } },
      'another secret': { secret: other },
      'one that is too old': { age: 302_000 },
      'a body changed by a byte': { headers, sent: body.replace('1.0', '9.0') },
      'a body written again': { headers, sent: JSON.stringify(JSON.parse(body)) },
      'a body with a mark before it': { headers, sent: `\uFEFF${body}` },
      'no body': { headers, sent: '' },
      'a body in another coding': { headers, sent: Buffer.from(body, 'latin1') },
    };
    for (const [why, given] of Object.entries(tampered)) {
      const { status, code } = await send(given);
      expect([status, code], why).to.deep.equal([403, 'invalid_signature']);
    }
    await accepted({ headers }, 'the same untouched');
  });

  it('is looked at whatever its content type and its coding are', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/octet-stream',
      'nonsense',
    ]) {
      await accepted({ headers: { 'Content-Type': type } }, type);
    }
    await accepted({ sent: gzipSync(body), headers: { 'Content-Encoding': 'gzip' } }, 'gzip');
    await accepted({ sent: deflateSync(body), headers: { 'Content-Encoding': 'deflate' } }, 'deflate');
    const wrong = gzipSync(body.replace('1.0', '9.0'));
    expect((await send({ sent: wrong, headers: { 'Content-Encoding': 'gzip' } })).status).to.equal(403);
  });

  it('is refused for its size before anything else is looked at', async () => {
    const longest = `"${'x'.repeat(262_142)}"`;
    await accepted({ body: longest }, '256 KiB');
    for (const unsigned of [{}, { headers: { 'webhook-signature': 'x' } }]) {
      expect((await send({ body: `${longest} `, ...unsigned })).status).to.equal(413);
    }
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    expect((await send({ sent: bomb, headers: { 'Content-Encoding': 'gzip' } })).status).to.equal(413);
  });

  it('is taken in when it is no JSON, or nothing at all', async () => {
    for (const one of ['', 'no JSON', '\u0000'])
      await accepted({ body: one, sent: one === '' ? new Uint8Array() : one }, one);
  });

  it('leaves no trace of secrets or bodies in the log', () => {
    const told = JSON.stringify(service().log.lines);
    for (const secret of [DECODED, CHOSEN, 'Zoë', 'v1,']) expect(told).not.to.include(secret);
  });
});

describe('Deliveries that are refused', () => {
  const service = useService({ ...polarSettings('http://127.0.0.1:9'), RATE_LIMIT_DEFAULT: '5' });

  it('count among the requests of who sends them; verified ones do not', async () => {
    const { url } = service();
    const wrong = () => drop(url, { body, headers: { 'webhook-signature': 'v1,x' } });
    for (let count = 0; count < 20; count += 1) expect((await drop(url, { body })).status).to.equal(200);
    for (let count = 0; count < 5; count += 1) expect((await wrong()).status).to.equal(403);
    const { status, code } = await wrong();
    expect([status, code]).to.deep.equal([429, 'rate_limited']);
    // The provider may share an address with who guesses.
    for (let count = 0; count < 5; count += 1) expect((await drop(url, { body })).status).to.equal(200);
  });
});
