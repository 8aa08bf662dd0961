import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { makeSendGridMailer } from '../../../adapters/mailers/sendgrid.ts';
import { mailerContract, sampleMessage } from '../../contracts/mailer.ts';
import { asReceived, type FakeSendGrid, openFakeSendGrid } from '../../support/servers/fake-sendgrid.ts';

const API_KEY = 'SG.very-private-key';

mailerContract('SendGrid', async (from) => {
  const provider = await openFakeSendGrid();
  return {
    mailer: makeSendGridMailer({ apiKey: API_KEY, baseUrl: provider.url, from }),
    received: async () => provider.calls.map(asReceived),
    fail: () => provider.close(),
    end: () => provider.close(),
  };
});

describe('The SendGrid mailer', () => {
  let provider: FakeSendGrid;
  beforeEach(async () => {
    provider = await openFakeSendGrid();
  });
  afterEach(() => provider.close());

  const open = (baseUrl = provider.url) =>
    makeSendGridMailer({ apiKey: API_KEY, baseUrl, from: 'Gatehouse <no-reply@sender.example>' });

  const status =
    (code: number, headers: Record<string, string> = {}) =>
    (response: ServerResponse) =>
      void response.writeHead(code, headers).end('{"errors":[{"message":"private words of the provider"}]}');

  const sendTo = (answer: (response: ServerResponse) => void) => {
    provider.next(answer);
    return open().send(sampleMessage());
  };

  it('calls Mail Send with the API key, under a base URL with or without a trailing slash', async () => {
    await open(provider.url).send(sampleMessage());
    await open(`${provider.url}/`).send(sampleMessage());
    for (const { method, path, headers } of provider.calls) {
      expect([method, path]).to.deep.equal(['POST', '/v3/mail/send']);
      expect(headers.authorization).to.equal(`Bearer ${API_KEY}`);
    }
    expect(provider.calls).to.have.length(2);
  });

  it('sends the id of the mail, and turns tracking off', async () => {
    const message = sampleMessage();
    await open().send(message);
    expect(provider.calls[0]?.mail.custom_args).to.deep.equal({ message_id: message.id });
    const tracking = provider.calls[0]?.mail.tracking_settings ?? {};
    expect(tracking).to.have.all.keys(
      'click_tracking',
      'open_tracking',
      'subscription_tracking',
      'ganalytics',
    );
    expect(Object.values(tracking).map(({ enable }) => enable)).to.deep.equal([false, false, false, false]);
  });

  it('uses its own API key beside another mailer', async () => {
    const [first, second] = [
      open(),
      makeSendGridMailer({ apiKey: 'other', baseUrl: provider.url, from: 'a@b.example' }),
    ];
    await first.send(sampleMessage());
    await second.send(sampleMessage());
    await first.send(sampleMessage());
    expect(provider.calls.map(({ headers }) => headers.authorization)).to.deep.equal(
      [API_KEY, 'other', API_KEY].map((key) => `Bearer ${key}`),
    );
  });

  for (const code of [400, 404, 413]) {
    it(`reports a refused mail for ${code}`, async () => {
      expect(await sendTo(status(code))).to.deep.equal({ outcome: 'refused', failure: 'rejected' });
    });
  }

  for (const code of [401, 403]) {
    it(`asks for a retry after ${code}, which refuses the key and not the mail`, async () => {
      expect(await sendTo(status(code))).to.deep.equal({ outcome: 'again', after: null, failure: 'auth' });
    });
  }

  for (const code of [302, 408, 500, 503]) {
    it(`asks for a retry after ${code}`, async () => {
      const expected = { outcome: 'again', after: null, failure: 'unavailable' };
      expect(await sendTo(status(code, { location: `${provider.url}/elsewhere` }))).to.deep.equal(expected);
      expect(provider.calls).to.have.length(1);
    });
  }

  it('returns the delay of Retry-After, in seconds or as a date', async () => {
    expect(await sendTo(status(503, { 'retry-after': '7' }))).to.include({ after: 7_000 });
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    expect(await sendTo(status(429, { 'retry-after': inAMinute })))
      .to.have.property('after')
      .that.is.within(54_000, 60_000);
    expect(await sendTo(status(429, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }))).to.include({
      after: 0,
    });
    for (const invalid of ['soon', 'soon 5', '-1', '1.5', '+5'])
      expect(await sendTo(status(429, { 'retry-after': invalid })), invalid).to.include({ after: null });
  });

  it('returns the delay until the rate limit resets for a 429 without Retry-After', async () => {
    const reset = String(Math.floor(Date.now() / 1_000) + 30);
    const delivery = await sendTo(status(429, { 'x-ratelimit-reset': reset }));
    expect(delivery).to.include({ outcome: 'again', failure: 'throttled' });
    expect(delivery).to.have.property('after').that.is.within(24_000, 30_000);
    expect(await sendTo(status(429))).to.deep.equal({ outcome: 'again', after: null, failure: 'throttled' });
  });

  it('asks for a retry after a broken connection', async () => {
    const expected = { outcome: 'again', after: null, failure: 'unreachable' };
    expect(await sendTo((response) => response.socket?.resetAndDestroy())).to.deep.equal(expected);
    expect(await sendTo((response) => response.socket?.end('HTTP/1.1 2'))).to.deep.equal(expected);
  });

  it('times out after 5 s if an answer is missing or never ends', async () => {
    const timers: NodeJS.Timeout[] = [];
    const startedAt = performance.now();
    const answers = await Promise.all([
      sendTo(() => {}),
      sendTo((response) => {
        response.writeHead(202, { 'content-length': '1000000' });
        timers.push(setInterval(() => response.write(' '), 200));
      }),
    ]);
    timers.forEach(clearInterval);
    expect(performance.now() - startedAt).to.be.within(4_500, 20_000);
    const expected = { outcome: 'again', after: null, failure: 'timeout' };
    expect(answers).to.deep.equal([expected, expected]);
  });
});
