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

/** A webhook of the reference implementation whose key is the text of the secret. */
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
  return expect.fail('The call did not throw.');
};

describe('The signature of a delivery', () => {
  const now = Date.now();
  const raw = Buffer.from(body);
  const readDelivery = makeReadDelivery([DECODED]);
  const expectRefusal = (headers: Headers, bytes: Uint8Array = raw, at = now, reader = readDelivery) => {
    const error = refusal(() => reader(headers, bytes, at));
    expect(error).to.be.instanceOf(CoreError);
    expect(error).to.include({ kind: 'forbidden', code: 'invalid_signature' });
  };
  const validHeaders = signedBy(new Webhook(DECODED), now);

  it('is accepted if the reference implementation made it, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.boolean(), (input, isByText) => {
        // Invalid text is replaced first, since it has no bytes to sign.
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

  it('is accepted by the reference implementation', () => {
    // The reference uses the system clock, and this file may have been loaded long before.
    const at = Date.now();
    const signedHeaders = signDelivery(DECODED, { id, body }, at);
    expect(new Webhook(DECODED).verify(body, signedHeaders)).to.deep.equal(JSON.parse(body));
    const byChosen = signDelivery(CHOSEN, { id, body }, at);
    expect(byText(CHOSEN).verify(body, byChosen)).to.deep.equal(JSON.parse(body));
  });

  it('is accepted for each of several secrets, decoded or as text', () => {
    const reader = makeReadDelivery([DECODED, OTHER, CHOSEN]);
    const webhooks = [
      ...[DECODED, OTHER].map((secret) => new Webhook(secret)),
      ...[DECODED, OTHER, CHOSEN].map(byText),
    ];
    for (const webhook of webhooks)
      expect(reader(signedBy(webhook, now), raw, now)).to.deep.equal({ id, body });
    expectRefusal(signedBy(new Webhook(OTHER), now), raw, now, makeReadDelivery([DECODED, CHOSEN]));
    expectRefusal(signedBy(byText(OTHER), now), raw, now, makeReadDelivery([DECODED, CHOSEN]));
  });

  it('uses only the text of a secret that cannot be decoded, and never an empty key', () => {
    expect(keysOf(CHOSEN).map(String)).to.deep.equal([CHOSEN]);
    for (const secret of ['whsec_', 'whsec_====', 'whsec_not base64', 'whsec_QQ', 'whsec_Q']) {
      expect(keysOf(secret).map(String), secret).to.deep.equal([secret]);
    }
    expect(keysOf(DECODED).map(({ length }) => length)).to.deep.equal([32, DECODED.length]);
  });

  it('is refused with an empty key or without secrets', () => {
    const empty = createHmac('sha256', '')
      .update(`${id}.${Math.floor(now / 1_000)}.${body}`)
      .digest('base64');
    expectRefusal({ ...validHeaders, 'webhook-signature': `v1,${empty}` });
    expectRefusal(validHeaders, raw, now, makeReadDelivery([]));
  });

  it('is valid for 300 seconds before and after its timestamp', () => {
    const at = 1_780_000_000_000;
    const headers = signedBy(new Webhook(DECODED), at);
    for (const offset of [-300_000, -299_999, 0, 299_999, 300_000]) {
      expect(readDelivery(headers, raw, at + offset).id, String(offset)).to.equal(id);
    }
    for (const offset of [-300_001, 300_001, -301_000, 301_000, -86_400_000, 86_400_000]) {
      expectRefusal(headers, raw, at + offset);
    }
  });

  it('requires a timestamp of up to twelve digits', () => {
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
      // The form is signed too, so that only the form can be refused.
      const mac = createHmac('sha256', key).update(`${id}.${form}.${body}`).digest('base64');
      expectRefusal({ ...validHeaders, 'webhook-timestamp': form, 'webhook-signature': `v1,${mac}` });
    }
    const padded = `00${seconds}`;
    const mac = createHmac('sha256', key).update(`${id}.${padded}.${body}`).digest('base64');
    const headers = { ...validHeaders, 'webhook-timestamp': padded, 'webhook-signature': `v1,${mac}` };
    expect(readDelivery(headers, raw, now).id).to.equal(id);
  });

  it('is found in a list beside signatures of other versions and keys', () => {
    const valid = String(validHeaders['webhook-signature']);
    const invalid = `v1,${Buffer.alloc(32).toString('base64')}`;
    for (const list of [
      [invalid, valid],
      [valid, invalid],
      ['v1a,abc', 'v2,x', invalid, valid],
      ['', valid],
    ]) {
      expect(readDelivery({ ...validHeaders, 'webhook-signature': list.join(' ') }, raw, now).id).to.equal(
        id,
      );
    }
    for (const list of [
      invalid,
      valid.replace('v1,', 'v1a,'),
      valid.replace('v1,', 'v2,'),
      valid.replace('v1,', 'V1,'),
      valid.replace('v1,', ''),
      valid.replace(',', '='),
      valid.slice(0, -1),
      `${valid}=`,
      `${valid},x`,
      valid.replace(' ', '\t'),
      `v1,${Buffer.from(valid.slice(3), 'base64').toString('base64url')}`,
      `v1,${Buffer.from(valid.slice(3), 'base64').toString('hex')}`,
      // As many characters as a signature has, but 33 and 31 bytes.
      `v1,${'A'.repeat(44)}`,
      `v1,${'A'.repeat(42)}==`,
      Array.from({ length: 33 }, () => valid).join(' '),
      '',
    ].filter((list) => list !== valid)) {
      expectRefusal({ ...validHeaders, 'webhook-signature': list });
    }
    expect(
      readDelivery({ ...validHeaders, 'webhook-signature': Array(32).fill(valid).join(' ') }, raw, now).id,
    ).to.equal(id);
  });

  it('requires each of its three headers once', () => {
    for (const name of Object.keys(validHeaders)) {
      expectRefusal({ ...validHeaders, [name]: undefined });
      expectRefusal({ ...validHeaders, [name]: '' });
      expectRefusal({ ...validHeaders, [name]: [String(validHeaders[name])] });
      if (name !== 'webhook-signature')
        expectRefusal({ ...validHeaders, [name]: `${validHeaders[name]}, ${validHeaders[name]}` });
    }
  });

  it('accepts only printable ids', () => {
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
    for (const deliveryId of ['', 'a b', 'a\u0000', 'é', 'a\n', 'x'.repeat(257)])
      expectRefusal(withId(deliveryId));
  });

  it('is refused for another body, id or time', () => {
    fc.assert(
      fc.property(fc.nat(raw.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const changed = Buffer.from(raw);
        changed[place] = (changed[place] ?? 0) ^ change;
        expectRefusal(validHeaders, changed);
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
      expectRefusal(validHeaders, Buffer.from(changed));
    }
    expectRefusal({ ...validHeaders, 'webhook-id': `${id}x` });
    expectRefusal({ ...validHeaders, 'webhook-timestamp': String(Math.floor(now / 1_000) - 1) });
  });
});
