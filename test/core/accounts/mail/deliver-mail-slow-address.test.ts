import { expect } from 'chai';
import { NOW } from '../../../contracts/samples.ts';
import { until } from '../../../support/until.ts';
import { SENT, useOutbox } from './use-outbox.ts';

describe('Mail delivery while an address is slow', () => {
  const { outbox, add, open: openRounds } = useOutbox();

  /** Rounds in which mails to addresses that begin with `slow` hang until `release` is called. */
  const open = () => {
    const hanging: (() => void)[] = [];
    const rounds = openRounds(async ({ to }) => {
      if (to.startsWith('slow')) await new Promise<void>((resolve) => hanging.push(resolve));
      return SENT;
    });
    const release = () => {
      for (const resume of hanging.splice(0)) resume();
    };
    return { ...rounds, release };
  };

  it('sends due mails to others meanwhile, and later mails to the slow address in order', async () => {
    const { attempts, clock, deliver, release } = open();
    await add('slow 1', 'slow@example.com');
    const first = deliver(1);
    await until(() => attempts.length === 1);
    await add('other', 'other@example.com', 1);
    await add('slow 2', 'slow@example.com', 2);
    clock.set(NOW + 10);
    expect(await deliver(1)).to.equal(1);
    expect(attempts).to.deep.equal(['slow 1', 'other']);
    release();
    expect(await first).to.equal(1);
    const second = deliver(1);
    await until(() => attempts.length === 3);
    release();
    expect(await second).to.equal(1);
    expect(attempts).to.deep.equal(['slow 1', 'other', 'slow 2']);
  });

  it('serves other addresses after eight were slow for a second, up to sixteen slow ones', async () => {
    const { attempts, clock, deliver, release } = open();
    const rounds: Promise<number>[] = [];
    for (let at = 0; at < 30; at += 1) await add(`slow ${at}`, `slow${at}@example.com`);
    for (const expected of [8, 8]) {
      rounds.push(deliver(1));
      await until(() => attempts.length >= expected);
      await new Promise(setImmediate);
      expect(attempts).to.have.lengthOf(expected);
    }
    clock.set(NOW + 1_001);
    await add('other', 'other@example.com', -1);
    rounds.push(deliver(1));
    await until(() => attempts.length === 17);
    expect(attempts).to.include('other');
    clock.set(NOW + 3_000);
    expect(await deliver(1)).to.equal(0);
    expect(attempts).to.have.lengthOf(17);
    clock.set(NOW + 10_000);
    release();
    const sent = await Promise.all(rounds);
    expect(sent.reduce((sum, count) => sum + count)).to.equal(17);
    expect(new Set(attempts).size).to.equal(17);
  });

  it('sends no more mails of a round after another holder claimed them', async () => {
    const { attempts, deliver, release } = open();
    await add('slow 1', 'slow@example.com');
    await add('slow 2', 'slow@example.com', 1);
    await outbox().postpone('slow 2', { from: NOW, until: NOW }, 'timeout');
    const first = deliver(1);
    await until(() => attempts.length === 1);
    await outbox().claim('slow 2', 2);
    release();
    expect(await first).to.equal(1);
    expect(attempts).to.deep.equal(['slow 1']);
  });
});
