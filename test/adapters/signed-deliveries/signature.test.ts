import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import {
  type Headers,
  keysOf,
  makeReadDelivery,
  signDelivery,
} from '../../../adapters/signed-deliveries/signature.ts';
import { CoreError } from '../../../core/errors.ts';

const DECODED = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const CHOSEN = 'polar_whs_a-secret-that-somebody-chose';

const body = '{"type":"subscription.updated","data":{"name":"Zoë"}}';
const id = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W';

/** The reference's own idea of a secret: decoded, or the bytes of its text. */
const byText = (secret: string) => new Webhook(Buffer.from(secret), { format: 'raw' });
const signedBy = (webhook: Webhook, at: number, text = body): Headers => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at / 1_000)),
  'webhook-signature': webhook.sign(id, new Date(at), text),
});

const refusal = (call: () => unknown): unknown => {
  try {
    call();
  } catch (error) {
    return error;
  }
  return expect.fail('It was accepted.');
};

describe('The signature of a delivery', () => {
  const now = Date.now();
  const raw = Buffer.from(body);
  const readDelivery = makeReadDelivery([DECODED]);
  const refuses = (headers: Headers, bytes: Uint8Array = raw, at = now, reader = readDelivery) => {
    const error = refusal(() => reader(headers, bytes, at));
    expect(error).to.be.instanceOf(CoreError);
    expect(error).to.include({ kind: 'forbidden', code: 'invalid_signature' });
  };
  const validHeaders = signedBy(new Webhook(DECODED), now);

  it('is accepted as the reference implementation makes it, whatever is signed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.boolean(), (input, isByText) => {
        // What is no text has no bytes that a signature could be over.
        const text = Buffer.from(input).toString();
        const webhook = isByText ? byText(DECODED) : new Webhook(DECODED);
        expect(readDelivery(signedBy(webhook, now, text), Buffer.from(text), now)).to.deep.equal({
          id,
          body: text,
        });
      }),
      { numRuns: 50 },
    );
  });

  it('is made as the reference implementation accepts it', () => {
    // It goes by the clock of the machine, which this file may have been loaded long before.
    const at = Date.now();
    const signedHeaders = signDelivery(DECODED, { id, body }, at);
    expect(new Webhook(DECODED).verify(body, signedHeaders)).to.deep.equal(JSON.parse(body));
    const byChosen = signDelivery(CHOSEN, { id, body }, at);
    expect(byText(CHOSEN).verify(body, byChosen)).to.deep.equal(JSON.parse(body));
  });

  it('is accepted from each of several secrets, in each of their two readings', () => {
    const reader = makeReadDelivery([DECODED, OTHER, CHOSEN]);
    const webhooks = [
      ...[DECODED, OTHER].map((secret) => new Webhook(secret)),
      ...[DECODED, OTHER, CHOSEN].map(byText),
    ];
    for (const webhook of webhooks)
      expect(reader(signedBy(webhook, now), raw, now)).to.deep.equal({ id, body });
    refuses(signedBy(new Webhook(OTHER), now), raw, now, makeReadDelivery([DECODED, CHOSEN]));
    refuses(signedBy(byText(OTHER), now), raw, now, makeReadDelivery([DECODED, CHOSEN]));
  });

  it('knows one reading of a secret that has no decoded form, and never an empty key', () => {
    expect(keysOf(CHOSEN).map(String)).to.deep.equal([CHOSEN]);
    for (const secret of ['whsec_', 'whsec_====', 'whsec_not base64', 'whsec_QQ', 'whsec_Q']) {
      expect(keysOf(secret).map(String), secret).to.deep.equal([secret]);
    }
    expect(keysOf(DECODED).map(({ length }) => length)).to.deep.equal([32, DECODED.length]);
  });

  it('is refused by nobody’s secret', () => {
    const empty = createHmac('sha256', '')
      .update(`${id}.${Math.floor(now / 1_000)}.${body}`)
      .digest('base64');
    refuses({ ...validHeaders, 'webhook-signature': `v1,${empty}` });
    refuses(validHeaders, raw, now, makeReadDelivery([]));
  });

  it('is good for 300 seconds before and after, to the second', () => {
    const at = 1_780_000_000_000;
    const headers = signedBy(new Webhook(DECODED), at);
    for (const offset of [-300_000, -299_999, 0, 299_999, 300_000]) {
      expect(readDelivery(headers, raw, at + offset).id, String(offset)).to.equal(id);
    }
    for (const offset of [-300_001, 300_001, -301_000, 301_000, -86_400_000, 86_400_000]) {
      refuses(headers, raw, at + offset);
    }
  });

  it('takes no timestamp but up to twelve digits', () => {
    const seconds = String(Math.floor(now / 1_000));
    const forms = [
      `${seconds}abc`,
      `+${seconds}`,
      ` ${seconds}`,
      `${seconds} `,
      `${seconds}.0`,
      `0x${seconds}`,
    ];
    const more = [
      '',
      '1e9',
      '-1',
      'NaN',
      'Infinity',
      `${seconds},${seconds}`,
      `000${seconds}`,
      '１７８００００',
    ];
    const key = Buffer.from(DECODED.slice(6), 'base64');
    for (const form of [...forms, ...more, `${seconds}\n`]) {
      // Signed as it stands, so that it is the form that is refused.
      const mark = createHmac('sha256', key).update(`${id}.${form}.${body}`).digest('base64');
      refuses({ ...validHeaders, 'webhook-timestamp': form, 'webhook-signature': `v1,${mark}` });
    }
    const padded = `00${seconds}`;
    const mark = createHmac('sha256', key).update(`${id}.${padded}.${body}`).digest('base64');
    const headers = { ...validHeaders, 'webhook-timestamp': padded, 'webhook-signature': `v1,${mark}` };
    expect(readDelivery(headers, raw, now).id).to.equal(id);
  });

  it('is looked for in a list, past signatures of other versions and of other keys', () => {
    const good = String(validHeaders['webhook-signature']);
    const wrong = `v1,${Buffer.alloc(32).toString('base64')}`;
    for (const list of [
      [wrong, good],
      [good, wrong],
      ['v1a,abc', 'v2,x', wrong, good],
      ['', good],
    ]) {
      expect(readDelivery({ ...validHeaders, 'webhook-signature': list.join(' ') }, raw, now).id).to.equal(
        id,
      );
    }
    for (const list of [
      wrong,
      good.replace('v1,', 'v1a,'),
      good.replace('v1,', 'v2,'),
      good.replace('v1,', 'V1,'),
      good.replace('v1,', ''),
      good.replace(',', '='),
      good.slice(0, -1),
      `${good}=`,
      `${good},x`,
      good.replace(' ', '\t'),
      `v1,${Buffer.from(good.slice(3), 'base64').toString('base64url')}`,
      `v1,${Buffer.from(good.slice(3), 'base64').toString('hex')}`,
      // As many characters as a signature has, but for 33 and for 31 bytes.
      `v1,${'A'.repeat(44)}`,
      `v1,${'A'.repeat(42)}==`,
      Array.from({ length: 33 }, () => good).join(' '),
      '',
    ].filter((list) => list !== good)) {
      refuses({ ...validHeaders, 'webhook-signature': list });
    }
    expect(
      readDelivery({ ...validHeaders, 'webhook-signature': Array(32).fill(good).join(' ') }, raw, now).id,
    ).to.equal(id);
  });

  it('needs each of its three headers, once', () => {
    for (const name of Object.keys(validHeaders)) {
      refuses({ ...validHeaders, [name]: undefined });
      refuses({ ...validHeaders, [name]: '' });
      refuses({ ...validHeaders, [name]: [String(validHeaders[name])] });
      if (name !== 'webhook-signature')
        refuses({ ...validHeaders, [name]: `${validHeaders[name]}, ${validHeaders[name]}` });
    }
  });

  it('takes ids of any printable form, and no other', () => {
    const webhook = new Webhook(DECODED);
    const seconds = String(Math.floor(now / 1_000));
    const withId = (deliveryId: string): Headers => ({
      'webhook-id': deliveryId,
      'webhook-timestamp': seconds,
      'webhook-signature': webhook.sign(deliveryId, new Date(now), body),
    });
    for (const deliveryId of [
      'a',
      '7',
      'evt_1.2',
      '8a0e5d2c-6c2e-4c39-9b7a-0d6f4cbb7e01',
      '~',
      'x'.repeat(256),
    ]) {
      expect(readDelivery(withId(deliveryId), raw, now).id).to.equal(deliveryId);
    }
    for (const deliveryId of ['', 'a b', 'a\u0000', 'é', 'a\n', 'x'.repeat(257)]) refuses(withId(deliveryId));
  });

  it('does not fit another body, id or time', () => {
    fc.assert(
      fc.property(fc.nat(raw.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const changed = Buffer.from(raw);
        changed[place] = (changed[place] ?? 0) ^ change;
        refuses(validHeaders, changed);
      }),
      { numRuns: 200 },
    );
    for (const changed of [
      '',
      `${body} `,
      ` ${body}`,
      `\uFEFF${body}`,
      `${body}\n`,
      JSON.stringify(JSON.parse(body), null, 1),
    ]) {
      refuses(validHeaders, Buffer.from(changed));
    }
    refuses({ ...validHeaders, 'webhook-id': `${id}x` });
    refuses({ ...validHeaders, 'webhook-timestamp': String(Math.floor(now / 1_000) - 1) });
  });
});
