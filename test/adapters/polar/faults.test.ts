import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { PolarProvider } from '../../../adapters/polar/provider.ts';
import { CoreError } from '../../../core/errors.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { openStrictPolar, POLAR_TOKEN, type StrictPolar } from '../../support/servers/strict-polar.ts';
import type { Fault } from '../../support/servers/strict-server.ts';
import { until } from '../../support/until.ts';
import { BUYER as buyer, openPolar, reply, USER } from './open-polar.ts';

const PRIVATE = 'words of the provider that are private';

const refusal = (status: number, error: string): Fault => reply(status, { error, detail: PRIVATE });

describe('Polar with faults', () => {
  let polar: StrictPolar;
  const time = useFakeTime();
  let log = makeRecordingLog();
  let provider: PolarProvider;
  beforeEach(async () => {
    polar = await openStrictPolar();
    log = makeRecordingLog();
    provider = openPolar(`${polar.url}/v1`, { log });
  });
  afterEach(() => polar.close());

  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    checkout: () => provider.checkout(buyer, 'pro', 'monthly'),
    portal: () => provider.portal(USER),
    stateOf: () => provider.stateOf(USER),
    prices: () => provider.prices(),
    changeEmail: () => provider.changeEmail(USER, buyer.email),
    anonymise: () => provider.anonymise(USER),
  };
  const errorOf = async (call: Promise<unknown>): Promise<CoreError> => {
    const error = await call.then(
      (answer) => expect.fail(`The call returned ${JSON.stringify(answer)}.`),
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(CoreError);
    const { kind, code, message, facts, stack, cause } = error as CoreError;
    const text = JSON.stringify([kind, code, message, facts, stack, cause, log.lines]);
    for (const secret of [POLAR_TOKEN, PRIVATE, buyer.email, polar.url]) expect(text).to.not.include(secret);
    return error as CoreError;
  };
  const expectDown = async (call: Promise<unknown>): Promise<number> => {
    const error = await errorOf(call);
    expect(error).to.include({ kind: 'unavailable', code: 'billing_unavailable' });
    expect(error.facts.retryAfter).to.be.greaterThan(0);
    return error.facts.retryAfter ?? 0;
  };

  const FAULTS: Readonly<Record<string, Fault>> = {
    'answers 500': refusal(500, 'InternalServerError'),
    'answers 503 with a page': reply(503, '<h1>Sorry</h1>'),
    'answers with invalid JSON': reply(200, '%PDF-1.7'),
    'answers with a list': reply(200, '[]'),
    'ends the connection': (response) => response.destroy(),
    'ends the connection during its answer': (response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('{"url":', () => response.destroy());
    },
    'answers with an endless body': (response) => response.writeHead(200).write('x'.repeat(5_000_000)),
    redirects: (response) => response.writeHead(307, { Location: `${polar.url}/elsewhere` }).end(),
  };
  for (const [trouble, fault] of Object.entries(FAULTS)) {
    it(`is unavailable after two attempts if it ${trouble}, and recovers from one fault`, async () => {
      polar.addCustomer(USER);
      for (const [name, call] of Object.entries(calls)) {
        if (name === 'checkout') polar.customers.delete(USER);
        else if (!polar.customers.has(USER)) polar.addCustomer(USER);
        // The body of an answer to a removal is not read.
        if (name === 'anonymise' && trouble.startsWith('answers with')) continue;
        const before = polar.requests.length;
        time.advance(1_000);
        polar.fault = fault;
        await expectDown(call());
        expect(polar.requests.length - before, name).to.equal(2);
        time.advance(1_000);
        polar.fault = undefined;
        polar.faults.push(fault);
        await call();
      }
      expect(polar.requests.some(({ path }) => path.includes('elsewhere'))).to.equal(false);
    });
  }

  it('is unavailable if nothing listens', async () => {
    await polar.close();
    for (const call of Object.values(calls)) {
      time.advance(1_000);
      await expectDown(call());
    }
  });

  it('times out after four seconds, and fails the call within six', async () => {
    polar.fault = () => undefined;
    const call = expectDown(provider.checkout(buyer, 'pro', 'monthly'));
    await until(() => polar.requests.length === 1);
    time.advance(3_999);
    await turn();
    expect(polar.requests).to.have.length(1);
    time.advance(1);
    await until(() => polar.requests.length === 2);
    time.advance(1_500);
    await call;
    expect(time.now()).to.be.at.most(6_000);
  });

  it('is not called during the Retry-After of a 429', async () => {
    polar.addCustomer(USER);
    polar.faults.push(reply(429, { detail: PRIVATE }, { 'Retry-After': '17' }));
    expect(await expectDown(provider.portal(USER))).to.equal(17);
    expect(polar.requests).to.have.length(1);
    time.advance(16_001);
    expect(await expectDown(provider.checkout(buyer, 'pro', 'monthly'))).to.equal(1);
    await expectDown(provider.anonymise(USER));
    expect(polar.requests).to.have.length(1);
    expect(provider.isUp()).to.equal(true);
    expect(provider.rateLimitEndsInMs()).to.equal(999);
    time.advance(999);
    expect(provider.rateLimitEndsInMs()).to.equal(0);
    expect(await provider.portal(USER)).to.be.a('string');
    expect(log.lines).to.deep.equal([{ level: 'warn', event: 'billing.throttled', fields: { count: 17 } }]);
  });

  it('is not called for a minute after a 429 without a valid delay, and for an hour at most', async () => {
    for (const [header, seconds] of [
      [undefined, 60],
      ['soon', 60],
      ['-5', 60],
      ['0', 60],
      ['0.2', 1],
      ['1e9', 3_600],
    ] as const) {
      polar.faults.push(reply(429, {}, header === undefined ? {} : { 'Retry-After': header }));
      expect(await expectDown(provider.portal(USER)), header).to.equal(seconds);
      time.advance(seconds * 1_000);
    }
  });

  it('dates a state by its Date header less the duration of the call, or not at all', async () => {
    polar.addCustomer(USER);
    const dated = async (fault: Fault) => {
      polar.faults.push(fault);
      const call = provider.stateOf(USER);
      time.advance(1_000);
      return (await call).asOf;
    };
    const body = { id: 'c', active_subscriptions: [] };
    const date = 'Thu, 01 Jan 2026 00:00:07 GMT';
    const around = [Date.parse(date) - 1_000, Date.parse(date)] as const;
    expect(await dated(reply(200, body, { Date: date }))).to.be.within(...around);
    expect(await dated(reply(404, { error: 'ResourceNotFound' }, { Date: date }))).to.be.within(...around);
    expect(await dated(reply(200, body, { Date: 'yesterday' }))).to.equal(null);
    // The duration is subtracted, since the state may be as old as the request.
    const slow: Fault = (response, work) => {
      time.advance(3_000);
      reply(200, body, { Date: date })(response, work);
    };
    expect(await dated(slow)).to.be.at.most(Date.parse(date) - 3_000);
  });

  it('reports a missing customer only for its own ResourceNotFound', async () => {
    expect((await provider.stateOf(USER)).customer).to.equal(undefined);
    expect(await provider.portal(USER)).to.equal(undefined);
    time.advance(1_000);
    await provider.anonymise(USER);
    polar.addCustomer(USER);
    // The answers of a retired API version, and of a proxy without such a path.
    for (const fault of [reply(404, { detail: 'Not Found' }), reply(404, '<h1>Not found</h1>'), reply(404)]) {
      for (const call of Object.values(calls)) {
        time.advance(60_000);
        polar.faults.push(fault);
        await expectDown(call());
      }
    }
    expect(polar.customers.has(USER)).to.equal(true);
  });

  it('refuses a checkout only for reasons of the buyer', async () => {
    const outcome = async (fault: Fault) => {
      polar.faults.push(fault);
      const { kind, code } = await errorOf(provider.checkout(buyer, 'pro', 'monthly'));
      return `${kind} ${code}`;
    };
    polar.addCustomer(USER, [{}]);
    expect(await errorOf(provider.checkout(buyer, 'pro', 'monthly'))).to.include({
      kind: 'conflict',
      code: 'already_subscribed',
    });
    expect(await outcome(reply(403))).to.equal('conflict already_subscribed');
    expect(await outcome(reply(422, { detail: [{ msg: PRIVATE }] }))).to.equal('invalid checkout_refused');
    for (const fault of [
      refusal(410, 'ExpiredCheckoutError'),
      refusal(404, 'ResourceNotFound'),
      refusal(400, 'BadRequest'),
      refusal(409, 'Conflict'),
      refusal(403, 'NotPermitted'),
      refusal(403, 'PaymentNotReady'),
      refusal(403, 'insufficient_scope'),
      refusal(401, 'invalid_token'),
    ]) {
      expect(await outcome(fault)).to.equal('unavailable billing_unavailable');
    }
    for (const cycle of ['monthly', 'yearly'] as const) {
      expect(await errorOf(provider.checkout(buyer, 'enterprise', cycle))).to.include({
        code: 'checkout_refused',
      });
    }
  });

  it('has the reason of a refused checkout or portal in the log, without values', async () => {
    for (const fault of [
      reply(422, {
        error: 'RequestValidationError',
        detail: [
          { loc: ['body', 'products', 0], msg: PRIVATE, input: PRIVATE },
          { loc: ['body', 'customer_email'], msg: PRIVATE, input: buyer.email },
        ],
      }),
      refusal(403, 'PaymentNotReady'),
      reply(410, []),
    ]) {
      polar.faults.push(fault);
      await errorOf(provider.checkout(buyer, 'pro', 'monthly'));
    }
    polar.faults.push(refusal(403, 'insufficient_scope'));
    await errorOf(provider.portal(USER));
    const lines = log.lines.filter(({ event }) => event === 'billing.refused');
    expect(lines.map(({ fields }) => fields)).to.deep.equal(
      [
        '422 RequestValidationError body.products.0 body.customer_email',
        '403 PaymentNotReady',
        '410',
        '403 insufficient_scope',
      ].map((reason) => ({ userId: USER, reason })),
    );
  });

  it('is unavailable if it returns a URL that is not http or https', async () => {
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      '/checkout',
      'ftp://a.example',
      'https://a b',
      'https://',
      'https://a.example/\r\nX: y',
      '',
      7,
      null,
      undefined,
      ['https://a.example'],
    ]) {
      polar.faults.push(reply(201, { url, customer_portal_url: url }));
      await expectDown(provider.checkout(buyer, 'pro', 'monthly'));
      polar.faults.push(reply(201, { url, customer_portal_url: url }));
      await expectDown(provider.portal(USER));
    }
    polar.faults.push(reply(201, { url: 'https://polar.sh/checkout/x?y=%20#z' }));
    expect(await provider.checkout(buyer, 'pro', 'monthly')).to.equal('https://polar.sh/checkout/x?y=%20#z');
  });

  it('is unavailable if it returns a malformed state', async () => {
    for (const body of [
      {},
      { id: 'c' },
      { id: 7, active_subscriptions: [] },
      { id: 'c', active_subscriptions: {} },
      { id: 'c', active_subscriptions: [null] },
      { id: 'c', active_subscriptions: [{ id: 's' }] },
    ]) {
      polar.faults.push(reply(200, body));
      const call = expectDown(provider.stateOf(USER));
      time.advance(1_000);
      await call;
    }
  });

  it('is called once a second after five failures in a row', async () => {
    polar.fault = (response) => response.destroy();
    while (provider.isUp()) await expectDown(provider.portal(USER));
    expect(polar.requests).to.have.length(5);
    time.advance(999);
    await expectDown(provider.checkout(buyer, 'pro', 'monthly'));
    expect(polar.requests).to.have.length(5);
    polar.fault = undefined;
    time.advance(1);
    expect(await provider.checkout(buyer, 'pro', 'monthly')).to.be.a('string');
    expect(provider.isUp()).to.equal(true);
    expect(log.lines.map(({ event }) => event)).to.deep.equal([
      'billing.failed',
      'billing.down',
      'billing.up',
    ]);
  });

  it('receives any user id escaped in its path', async () => {
    for (const name of ['a/b', '../x', 'a?b=c', 'a#b', 'é', 'a%2Fb']) {
      polar.addCustomer(name);
      const call = provider.stateOf(name);
      time.advance(1_000);
      expect((await call).customer?.customerId).to.equal(polar.customers.get(name)?.id);
      time.advance(1_000);
      await provider.anonymise(name);
      expect(polar.anonymised.at(-1)).to.equal(name);
    }
  });
});
