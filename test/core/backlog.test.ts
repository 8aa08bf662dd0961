import { expect } from 'chai';
import { makeCountBacklog } from '../../core/backlog.ts';
import type { OutboxCount } from '../../core/outbox.ts';

const NOW = 1_000_000;

const backlogOf = (mails: readonly OutboxCount[]) =>
  makeCountBacklog({
    clock: { now: () => NOW },
    outbox: { count: async () => mails },
    ledger: { count: async (state) => (state === 'pending' ? 3 : 2) },
  })();

describe('The backlog', () => {
  it('counts dead mails apart from pending mails, and the age of the oldest pending mail', async () => {
    const dead = { group: 'verify', state: 'dead', count: 5, oldestAt: 0 } as const;
    const waiting = { group: 'verify', state: 'waiting', count: 2, oldestAt: NOW - 1_999 } as const;
    const failing = { group: 'reset', state: 'failing', count: 4, oldestAt: NOW - 61_999 } as const;
    const deliveries = { deliveriesPending: 3, deliveriesDead: 2 };
    const none = { mailWaiting: 0, mailOldestSeconds: 0 };
    expect(await backlogOf([])).to.deep.equal({ ...none, mailDead: 0, ...deliveries });
    expect(await backlogOf([dead])).to.deep.equal({ ...none, mailDead: 5, ...deliveries });
    expect(await backlogOf([dead, waiting, failing])).to.deep.equal({
      mailWaiting: 6,
      mailDead: 5,
      mailOldestSeconds: 61,
      ...deliveries,
    });
  });

  it('has no age below 0 if the clock was set back', async () => {
    const future = { group: 'verify', state: 'waiting', count: 1, oldestAt: NOW + 5_000 } as const;
    expect((await backlogOf([future])).mailOldestSeconds).to.equal(0);
  });
});
