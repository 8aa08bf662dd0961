import { expect } from 'chai';
import fc from 'fast-check';
import {
  makeParseEvent,
  microseconds,
  milliseconds,
  WrongDelivery,
} from '../../../adapters/signed-deliveries/polar-events.ts';
import type { ProviderEvent } from '../../../core/billing/fold-events.ts';
import { newSubscription, PRODUCTS, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { errorThrownBy } from './rejected-with.ts';

const BEGINS = Date.UTC(2026, 0, 1);
const parseEvent = makeParseEvent(PRODUCTS);

type Fields = Record<string, unknown>;
interface Envelope extends Fields {
  data: Fields & { customer: Fields; product: Fields };
}

const envelopeOf = (kind = 'updated'): Envelope =>
  JSON.parse(subscriptionEvent(kind, newSubscription({ userId: 'u' }, BEGINS), BEGINS).body);
const readEnvelope = (envelope: unknown) => parseEvent({ id: 'evt', body: JSON.stringify(envelope) });
const readEvent = (envelope: unknown): ProviderEvent => {
  const event = readEnvelope(envelope);
  if (event === undefined) throw new Error('The envelope was ignored.');
  return event;
};
const subscriptionOf = (envelope: unknown) => {
  const event = readEvent(envelope);
  if (event.about !== 'subscription') throw new Error('The event is not about a subscription.');
  return event.subscription;
};

describe('The times of Polar', () => {
  it('are parsed in any time zone, to the microsecond and to the millisecond', () => {
    const date = fc.date({
      min: new Date('1970-01-02T00:00:00Z'),
      max: new Date('2200-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, fc.nat(999), fc.integer({ min: -14 * 60, max: 14 * 60 }), (at, micro, zone) => {
        const text = new Date(at.getTime() + zone * 60_000).toISOString().slice(0, -1);
        const two = (value: number) => String(value).padStart(2, '0');
        const [hours, minutes] = [Math.floor(Math.abs(zone) / 60), Math.abs(zone) % 60];
        const offset = `${zone < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
        const written = `${text}${String(micro).padStart(3, '0')}${offset}`;
        expect(microseconds(written), written).to.equal(at.getTime() * 1_000 + micro);
        expect(milliseconds(written), written).to.equal(at.getTime());
      }),
      { numRuns: 2_000 },
    );
  });

  it('may have any number of decimals, truncated to microseconds', () => {
    const second = Date.UTC(2026, 0, 2, 3, 4, 5) * 1_000;
    for (const [fraction, more] of [
      ['', 0],
      ['.1', 100_000],
      ['.12', 120_000],
      ['.123456', 123_456],
      ['.1234569', 123_456],
      ['.000001999', 1],
    ] as const) {
      expect(microseconds(`2026-01-02T03:04:05${fraction}Z`), fraction).to.equal(second + more);
    }
  });

  it('are undefined in any other form', () => {
    for (const text of [
      '',
      '2026-01-02',
      '2026-01-02T03:04:05',
      '2026-13-02T03:04:05Z',
      '2026-01-02T25:04:05Z',
      '2026-01-02T03:04:05.Z',
      '2026-01-02 03:04:05Z',
      '2026-01-02T03:04:05+2500',
      ' 2026-01-02T03:04:05Z',
      '+002026-01-02T03:04:05Z',
      1_767_225_600,
      null,
      undefined,
      {},
    ]) {
      expect(microseconds(text), String(text)).to.equal(undefined);
    }
  });
});

describe('A delivery from Polar', () => {
  it('is ordered by its timestamp, else by modified_at, else by created_at', () => {
    const times = fc.option(fc.integer({ min: 0, max: 4e15 }), { nil: null });
    const iso = (at: number | null) =>
      at === null
        ? null
        : new Date(Math.floor(at / 1_000))
            .toISOString()
            .replace('Z', `${String(at % 1_000).padStart(3, '0')}Z`);
    fc.assert(
      fc.property(times, times, times, fc.boolean(), (timestamp, modified, created, isAbsent) => {
        const envelope = envelopeOf();
        envelope.data.modified_at = iso(modified);
        envelope.data.created_at = iso(created);
        envelope.timestamp = iso(timestamp);
        if (timestamp === null && isAbsent) delete envelope.timestamp;
        const expected = timestamp ?? modified ?? created;
        if (expected === null) errorThrownBy(() => readEnvelope(envelope), WrongDelivery);
        else expect(readEvent(envelope).order).to.deep.include({ at: expected, id: 'evt' });
      }),
      { numRuns: 500 },
    );
  });

  it('is ignored if it is not JSON, not an object or of another kind', () => {
    const { data } = envelopeOf();
    for (const body of [
      '',
      'hello',
      '[]',
      'null',
      '"subscription.updated"',
      '{"type":7}',
      '{"type":["subscription.updated"]}',
      '{',
    ]) {
      expect(parseEvent({ id: 'evt', body }), body).to.equal(undefined);
    }
    for (const type of [
      'order.paid',
      'checkout.updated',
      'benefit_grant.created',
      'subscription',
      'subscription.renamed',
      'Subscription.updated',
      'customer.state_changed',
      '__proto__',
      '',
    ]) {
      expect(readEnvelope({ type, timestamp: '2026-01-01T00:00:00Z', data }), type).to.equal(undefined);
    }
  });

  it('identifies the user only by the external id of the customer', () => {
    const victim = '01890a5d-ac96-774b-bcce-b302099a8057';
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.constantFrom(victim, 7, true)), (metadata) => {
        const envelope = envelopeOf();
        const planted = { ...metadata, external_id: victim, user_id: victim, userId: victim };
        envelope.data.customer = { id: 'customer', external_id: null, metadata: planted, email: victim };
        Object.assign(envelope.data, { metadata: planted, custom_field_data: planted, external_id: victim });
        envelope.external_id = victim;
        expect(readEvent(envelope).userId).to.equal(null);
        envelope.data.customer.external_id = 'u';
        expect(readEvent(envelope).userId).to.equal('u');
      }),
      { numRuns: 200 },
    );
  });

  it('determines plan and cycle only by the product id', () => {
    const envelope = envelopeOf();
    for (const [productId, plan, billingCycle] of [
      [PRODUCTS['pro-lite'].monthly, 'pro-lite', 'monthly'],
      [PRODUCTS['pro-lite'].yearly, 'pro-lite', 'yearly'],
      [PRODUCTS.pro.yearly, 'pro', 'yearly'],
      ['another', null, 'monthly'],
    ] as const) {
      envelope.data.product_id = productId;
      envelope.data.product = {
        id: PRODUCTS.pro.monthly,
        name: 'enterprise',
        metadata: { plan: 'enterprise' },
      };
      expect(subscriptionOf(envelope)).to.include({ plan, billingCycle });
    }
  });

  it('is a revocation only by its kind', () => {
    for (const kind of [
      'created',
      'updated',
      'active',
      'canceled',
      'cycled',
      'uncanceled',
      'past_due',
      'paused',
      'resumed',
      'revoked',
    ]) {
      expect(readEvent(envelopeOf(kind)), kind).to.include({ revoked: kind === 'revoked' });
    }
  });

  it('has its amount in hundredths, although Polar counts whole yen', () => {
    const envelope = envelopeOf();
    for (const [currency, amount] of [
      ['usd', 999],
      ['JPY', 99_900],
    ] as const) {
      envelope.data.currency = currency;
      expect(subscriptionOf(envelope)).to.include({ amount, currency: currency.toLowerCase() });
    }
  });

  it('may have a billing interval of several months', () => {
    const envelope = envelopeOf();
    for (const [count, interval] of [
      [undefined, 'month'],
      [1, 'month'],
      [3, '3 months'],
      [12, 'year'],
    ]) {
      envelope.data.recurring_interval_count = count;
      expect(subscriptionOf(envelope).interval).to.equal(interval);
    }
  });

  it('is refused with the field name only, if a required field is missing or invalid', () => {
    for (const name of [
      'id',
      'customer_id',
      'product_id',
      'status',
      'amount',
      'currency',
      'recurring_interval',
    ]) {
      for (const value of [
        undefined,
        null,
        '',
        {},
        [],
        true,
        'x'.repeat(1_025),
        -1,
        1.5,
        Number.MAX_SAFE_INTEGER + 1,
      ]) {
        const envelope = envelopeOf();
        envelope.data[name] = value;
        const error = errorThrownBy(() => readEnvelope(envelope), WrongDelivery);
        expect(error.message).to.equal(name);
      }
    }
    for (const name of ['current_period_start', 'current_period_end', 'past_due_at', 'ended_at']) {
      const envelope = envelopeOf();
      envelope.data[name] = 'soon';
      expect(errorThrownBy(() => readEnvelope(envelope), WrongDelivery).message).to.equal(name);
    }
    errorThrownBy(() => readEnvelope({ ...envelopeOf(), data: null }), WrongDelivery);
    errorThrownBy(() => readEnvelope({ ...envelopeOf(), timestamp: 'yesterday' }), WrongDelivery);
  });

  it('is refused if an id contains characters that are not allowed or is too long', () => {
    for (const id of ['a,b', 'a\u0000', '\ud800', 'é', 'a\n', 'x'.repeat(256)]) {
      for (const name of ['id', 'customer_id']) {
        const envelope = envelopeOf();
        envelope.data[name] = id;
        expect(errorThrownBy(() => readEnvelope(envelope), WrongDelivery).message).to.equal(name);
      }
      const type = 'customer.deleted';
      errorThrownBy(
        () => readEnvelope({ type, timestamp: '2026-01-01T00:00:00Z', data: { id } }),
        WrongDelivery,
      );
    }
  });

  it('throws nothing but WrongDelivery for any JSON', () => {
    const kinds = fc.constantFrom(
      'subscription.updated',
      'subscription.revoked',
      'customer.deleted',
      'order.paid',
    );
    fc.assert(
      fc.property(kinds, fc.jsonValue(), fc.jsonValue(), (type, data, timestamp) => {
        try {
          readEnvelope({ type, timestamp, data });
        } catch (error) {
          expect(error).to.be.instanceOf(WrongDelivery);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
