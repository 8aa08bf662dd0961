import { createHmac, randomUUID } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { CHOSEN, DECODED, type Drop, drop, polarSettings } from '../../../support/drop.ts';
import { useService } from '../../../support/service.ts';
import { openStorePorts } from '../../../support/store-ports.ts';
import { until } from '../../../support/until.ts';

const body = '{"type":"order.paid","timestamp":"2026-01-01T00:00:00Z","data":{"name":"Zoë","amount":1.0}}';
const seconds = (offset = 0) => String(Math.floor(Date.now() / 1_000) + offset);
const mark = (key: string | Buffer, id: string, timestamp: string, text: string) =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`;

describe('A delivery at the door', () => {
  const service = useService(polarSettings('http://127.0.0.1:9'));
  const send = (given: Partial<Drop> = {}) => drop(service().url, { body, ...given });
  const accepted = async (given: Partial<Drop>, why: string) => {
    expect(await send(given), why).to.deep.include({ status: 200, body: { received: true } });
  };

  it('is taken in with any of the secrets, by either way of reading them', async () => {
    for (const secret of [DECODED, CHOSEN]) await accepted({ secret }, secret);
    const [id, timestamp] = [randomUUID(), seconds()];
    const whole = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': mark(DECODED, id, timestamp, body),
    };
    await accepted({ headers: whole }, 'the text of a decoded one');
  });

  it('is refused when anything about it was tampered with', async () => {
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const id = randomUUID();
    const now = seconds();
    const key = Buffer.from(DECODED.slice(6), 'base64');
    const signed = (text: string, timestamp = now, one = id) => ({
      'webhook-id': one,
      'webhook-timestamp': timestamp,
      'webhook-signature': mark(key, one, timestamp, text),
    });
    const right = signed(body);
    const signature = right['webhook-signature'];
    const withSignature = (text: string) => ({ headers: { ...right, 'webhook-signature': text } });
    const tampered: Readonly<Record<string, Partial<Drop>>> = {
      'no id': { headers: { 'webhook-id': undefined } },
      'no timestamp': { headers: { 'webhook-timestamp': undefined } },
      'no signature': { headers: { 'webhook-signature': undefined } },
      'an empty signature': withSignature(''),
      'another secret': { secret: other },
      'the secret of an empty setting': withSignature(mark('', id, now, body)),
      'another id': { headers: { ...right, 'webhook-id': randomUUID() } },
      'another timestamp': { headers: { ...right, 'webhook-timestamp': seconds(1) } },
      'one that is too old': { age: 302_000 },
      // A minute beyond the five that are allowed: it comes nearer while the request is on its way.
      'one from the future': { age: -360_000 },
      'another body': { headers: right, sent: '{"type":"order.paid"}' },
      'a body changed by a byte': { headers: right, sent: body.replace('1.0', '9.0') },
      'a body written again': { headers: right, sent: JSON.stringify(JSON.parse(body)) },
      'a body with a space': { headers: right, sent: `${body} ` },
      'a body with a mark before it': { headers: right, sent: `\uFEFF${body}` },
      'a body cut off': { headers: right, sent: body.slice(0, -1) },
      'no body': { headers: right, sent: '' },
      'a body in another coding': { headers: right, sent: Buffer.from(body, 'latin1') },
      'a signature parted by a comma': withSignature(`${signature},${signature}`),
      'GitHub’s header': { headers: { 'webhook-signature': undefined, 'x-hub-signature-256': signature } },
    };
    for (const [why, given] of Object.entries(tampered)) {
      const { status, code } = await send(given);
      expect([status, code], why).to.deep.equal([403, 'invalid_signature']);
    }
    await accepted({ headers: right }, 'the same untouched');
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

  it('is stored, and ignored, when it is of no kind we know or no JSON at all', async () => {
    const { ledger, close } = openStorePorts(service().folder);
    try {
      const before = await ledger.count('ignored');
      const bodies = [
        '',
        'no JSON',
        '[]',
        'null',
        '{"type":"benefit_grant.created","data":{}}',
        '{"type":"x"}',
        '\u0000',
      ];
      for (const one of bodies) await accepted({ body: one, sent: one === '' ? new Uint8Array() : one }, one);
      await until(async () => (await ledger.count('pending')) === 0);
      expect((await ledger.count('ignored')) - before).to.be.at.least(bodies.length);
    } finally {
      await close();
    }
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
