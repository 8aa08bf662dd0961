import { expect } from 'chai';
import type { Delivery, OutboxMail } from '../../../../core/accounts/ports.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { NOW } from '../../../contracts/samples.ts';
import { SENT, sealer, useOutbox } from './use-outbox.ts';

const retry = (failure = 'deferred', after: number | null = null): Delivery => ({
  outcome: 'again',
  after,
  failure,
});

describe('Mail delivery', () => {
  const { outbox, add, open } = useOutbox();

  const pendingMail = async (to: string): Promise<OutboxMail> => {
    const [mail] = await outbox().listFor(to);
    if (mail === undefined) throw new Error(`No mail is pending for ${to}.`);
    return mail;
  };

  it('sends due mails with their decrypted codes, and returns their number', async () => {
    await add('a', 'a@example.com');
    await add('b', 'b@example.com', 0, { template: 'account-deleted', sealedCode: null });
    const { deliver, messages } = open();
    expect(await deliver(1)).to.equal(2);
    const a = messages.find(({ id }) => id === 'a');
    expect(a).to.include({
      to: 'a@example.com',
      language: 'en',
      subject: 'Your Gatehouse verification code',
    });
    expect(a?.text).to.contain('\n    123456\n');
    expect(await outbox().listDue(Number.MAX_SAFE_INTEGER, 1)).to.deep.equal([]);
    expect(await deliver(1)).to.equal(0);
  });

  it('keeps the order of an address, and leaves mails that are not due', async () => {
    await add('later', 'a@example.com');
    await outbox().postpone('later', { from: NOW, until: NOW + 1 }, 'timeout');
    await add('second', 'a@example.com', -1);
    await add('first', 'a@example.com', -2);
    const { deliver, attempts, clock } = open();
    await deliver(1);
    expect(attempts).to.deep.equal(['first', 'second']);
    clock.set(NOW + 1);
    await deliver(1);
    expect(attempts).to.deep.equal(['first', 'second', 'later']);
  });

  it('retries an older mail before a newer one, even before its retry is due', async () => {
    await add('old', 'a@example.com');
    const { deliver, attempts, clock } = open(({ id }) =>
      id === 'old' && attempts.length === 1 ? retry() : SENT,
    );
    await deliver(1);
    await add('new', 'a@example.com', 5);
    clock.set(NOW + 5);
    expect(await deliver(1)).to.equal(2);
    expect(attempts).to.deep.equal(['old', 'old', 'new']);
  });

  it('sends later mails of the address and other mails if a mail fails', async () => {
    for (const to of ['a@example.com', 'b@example.com']) {
      await add(`${to} 1`, to);
      await add(`${to} 2`, to, 1);
    }
    const { deliver, clock } = open(({ id }) => (id === 'a@example.com 1' ? retry() : SENT));
    clock.set(NOW + 1);
    expect(await deliver(1)).to.equal(3);
    expect((await pendingMail('a@example.com')).entry.id).to.equal('a@example.com 1');
  });

  it('serves other addresses during a slow one, eight at a time', async () => {
    const resumes: (() => void)[] = [];
    for (let at = 0; at < 20; at += 1) await add(`${at}`, `${at}@example.com`);
    let concurrent = 0;
    let maximum = 0;
    const { deliver, attempts } = open(async ({ id }) => {
      concurrent += 1;
      maximum = Math.max(maximum, concurrent);
      if (id === '0') await new Promise<void>((resolve) => resumes.push(resolve));
      else await new Promise((resolve) => setImmediate(resolve));
      concurrent -= 1;
      if (attempts.length === 20) for (const resume of resumes) resume();
      return SENT;
    });
    expect(await deliver(1)).to.equal(20);
    expect(maximum).to.equal(8);
  });

  it('retries after 1, 2, 4 ... s, at most 1 h', async () => {
    await add('a', 'a@example.com');
    const { deliver, clock } = open(() => retry());
    const waits: number[] = [];
    for (let tries = 0; tries < 14; tries += 1) {
      await deliver(1);
      const { dueAt, lastFailure } = await pendingMail('a@example.com');
      expect(lastFailure).to.equal('deferred');
      waits.push(dueAt - clock.now());
      clock.set(dueAt);
    }
    for (const [tries, wait] of waits.entries()) {
      expect(wait).to.be.closeTo(Math.min(1_000 * 2 ** tries, 3_600_000), wait / 100);
    }
  });

  it('varies the delay of retries by up to a fifth', async () => {
    for (const [byte, wait] of [
      [0, 800],
      [255, 1_200],
    ] as const) {
      await add(`${byte}`, `${byte}@example.com`);
      await open(() => retry(), byte).deliver(1);
      expect((await pendingMail(`${byte}@example.com`)).dueAt - NOW).to.equal(wait);
    }
  });

  it('waits as long as the provider requests if that is longer, at most 1 h', async () => {
    for (const [retryAfter, wait] of [
      [30_000, 30_000],
      [10, 1_001],
      [10 ** 15, 3_600_000],
    ] as const) {
      await add(`${retryAfter}`, `${retryAfter}@example.com`);
      await open(() => retry('throttled', retryAfter)).deliver(1);
      expect((await pendingMail(`${retryAfter}@example.com`)).dueAt - NOW).to.be.closeTo(wait, 2);
    }
  });

  it('gives a mail up after a last attempt 24 h after its creation, and logs a warning', async () => {
    await add('a', 'a@example.com');
    const { deliver, attempts, clock, log } = open(() => retry());
    clock.set(NOW + 86_399_000);
    await deliver(1);
    expect((await pendingMail('a@example.com')).dueAt).to.be.at.most(NOW + 86_400_000);
    clock.set(NOW + 86_400_000);
    await deliver(1);
    expect(await outbox().listFor('a@example.com')).to.be.empty;
    expect(attempts).to.have.length(2);
    expect(log.lines.at(-1)).to.deep.equal({
      level: 'warn',
      event: 'mail.given_up',
      fields: { id: 'a', userId: 'user', reason: 'deferred' },
    });
  });

  it('attempts a mail once that became due during days without delivery', async () => {
    await add('a', 'a@example.com');
    const { deliver, clock } = open();
    clock.set(NOW + 10 * 86_400_000);
    expect(await deliver(1)).to.equal(1);
  });

  it('gives up a mail at once if it is refused, cannot be decrypted or has an unknown template', async () => {
    await add('refused', 'a@example.com', 0);
    await add('foreign', 'a@example.com', 1, { sealedCode: sealer.seal('123456', 'mail:other') });
    await add('unknown', 'a@example.com', 2, { template: JSON.parse('"from-the-future"') });
    await add('fine', 'a@example.com', 3);
    const { deliver, attempts, clock, log } = open(({ id }) =>
      id === 'refused' ? { outcome: 'refused', failure: 'recipient_refused' } : SENT,
    );
    clock.set(NOW + 3);
    expect(await deliver(1)).to.equal(1);
    expect(attempts).to.deep.equal(['refused', 'fine']);
    expect(await outbox().listDue(Number.MAX_SAFE_INTEGER, 1)).to.deep.equal([]);
    const reasons = log.lines
      .filter(({ level }) => level === 'warn')
      .map(({ fields }) => [fields.id, fields.reason]);
    expect(reasons).to.deep.equal([
      ['refused', 'recipient_refused'],
      ['foreign', 'unreadable'],
      ['unknown', 'unreadable'],
    ]);
  });

  it('ends the round if five addresses in a row fail with one reason', async () => {
    for (let at = 0; at < 60; at += 1) await add(`${at}`, `${at}@example.com`);
    const { deliver, attempts } = open(() => retry('unreachable'));
    expect(await deliver(1)).to.equal(0);
    expect(attempts).to.have.length.within(5, 12);
    await deliver(1);
    expect(new Set(attempts).size, 'other mails in the next round').to.equal(attempts.length);
  });

  it('continues the round for failures of one address, of several kinds or between successes', async () => {
    for (let at = 0; at < 30; at += 1) await add(`one ${at}`, 'one@example.com', at - 100);
    const first = open(() => retry());
    await first.deliver(1);
    expect(first.attempts).to.have.length(30);

    for (let at = 0; at < 40; at += 1) await add(`${at}`, `${at}@example.com`);
    let count = 0;
    const mixed = open(() => {
      count += 1;
      // First two kinds in alternation without a success; then one kind with a success after every three failures.
      if (count <= 20) return retry(count % 2 === 0 ? 'deferred' : 'timeout');
      return count % 4 === 0 ? SENT : retry();
    });
    await mixed.deliver(1);
    expect(mixed.attempts).to.have.length(40);
  });

  it('begins no more mails after 5 s, within the time of the lease', async () => {
    for (let at = 0; at < 10; at += 1) await add(`${at}`, 'a@example.com', at - 10);
    const { deliver, attempts, clock } = open(() => {
      clock.set(clock.now() + 2_000);
      return SENT;
    });
    expect(await deliver(1)).to.equal(3);
    expect(attempts).to.have.length(3);
  });

  for (const [behaviour, answer] of [
    ['throws', () => Promise.reject(new Error('550 a@example.com'))],
    ['returns a string', async () => 'sent' as never],
    ['returns nothing', async () => undefined as never],
    ['returns no failure', async () => ({ outcome: 'again', after: null }) as never],
    ['returns no delay', async () => ({ outcome: 'again', failure: 'busy' }) as never],
    ['returns a delay that is not a number', async () => retry('busy', Number.NaN)],
  ] as const)
    it(`postpones the mail if the mailer ${behaviour}`, async () => {
      await add('a', 'a@example.com');
      const { deliver, log } = open(answer);
      expect(await deliver(1)).to.equal(0);
      expect((await pendingMail('a@example.com')).lastFailure).to.equal('mailer_failed');
      expect(log.lines.map(({ event }) => event)).to.deep.equal(['mail.mailer_failed', 'mail.postponed']);
    });

  it('rounds a fractional delay of the mailer up to whole milliseconds', async () => {
    await add('a', 'a@example.com');
    const { deliver } = open(() => retry('busy', 60_000.5));
    expect(await deliver(1)).to.equal(0);
    expect((await pendingMail('a@example.com')).dueAt).to.equal(NOW + 60_001);
  });

  it('keeps a mail if its removal fails, and sends it again with its id', async () => {
    await add('a', 'a@example.com');
    const { deliver, attempts } = open();
    const { remove } = outbox();
    outbox().remove = () => Promise.reject(new Error('The store is down.'));
    expect(await rejectionOf(() => deliver(1))).to.have.property('message', 'The store is down.');
    outbox().remove = remove;
    const next = open();
    await next.deliver(1);
    expect([attempts, next.attempts]).to.deep.equal([['a'], ['a']]);
    expect(await outbox().listDue(Number.MAX_SAFE_INTEGER, 1)).to.deep.equal([]);
  });

  it('logs neither codes nor emails', async () => {
    for (const [at, outcome] of ['sent', 'again', 'refused'].entries())
      await add(outcome, `${at}@example.com`);
    const { deliver, log } = open(({ id }) =>
      id === 'sent' ? SENT : id === 'again' ? retry() : { outcome: 'refused', failure: 'rejected' },
    );
    await deliver(1);
    expect(log.lines).to.have.length(3);
    expect(JSON.stringify(log.lines)).to.not.match(/@|123456/);
  });
});
