import { expect } from 'chai';
import { type Decision, MOST_PENDING, makeChangeAccount } from '../../../core/accounts/change-account.ts';
import type { Pending } from '../../../core/accounts/outbox-entries.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { NOW, sampleAccount, sampleAuditEntry, sampleMail } from '../../contracts/samples.ts';
import { openPorts } from './open-core.ts';

describe('What a change of an account did besides', () => {
  let core: ReturnType<typeof openPorts>;
  beforeEach(async () => {
    core = openPorts();
    await core.ports.accounts.add(sampleAccount('ada'));
  });

  /** Changes ada with a store whose first writes come to what is given, and says what was undone, how often. */
  const changed = async (writes: (false | Error)[], failingUndos = 0) => {
    const { accounts } = core.ports;
    let attempts = 0;
    let failures = failingUndos;
    const undone: number[] = [];
    const change = makeChangeAccount({
      accounts: {
        ...accounts,
        save: async (account) => {
          const write = writes.shift();
          if (write instanceof Error) throw write;
          return write ?? accounts.save(account);
        },
      },
      wake: () => undefined,
    });
    const decide = (account: ReturnType<typeof sampleAccount> | undefined): Decision<number> => {
      attempts += 1;
      const attempt = attempts;
      const undo = async () => {
        undone.push(attempt);
        failures -= 1;
        if (failures >= 0) throw new Error('The undo failed.');
      };
      return { next: account ?? null, answer: attempt, undo };
    };
    return { answer: change(() => accounts.find('ada'), decide), undone };
  };

  it('stays when the account was written', async () => {
    const { answer, undone } = await changed([]);
    expect(await answer).to.equal(1);
    expect(undone).to.deep.equal([]);
  });

  it('is undone when another write came first, before the next attempt', async () => {
    const { answer, undone } = await changed([false, false]);
    expect(await answer).to.equal(3);
    expect(undone).to.deep.equal([1, 2]);
  });

  it('is undone at the second attempt where the first one fails', async () => {
    const { answer, undone } = await changed([false], 1);
    expect(await answer).to.equal(2);
    expect(undone).to.deep.equal([1, 1]);
  });

  it('is undone when the write fails, whose error is told even where the undo fails, too', async () => {
    const down = new Error('The store is down.');
    for (const failing of [0, 2]) {
      const { answer, undone } = await changed([down], failing);
      expect(await rejectionOf(() => answer)).to.equal(down);
      expect(undone).to.deep.equal([1]);
    }
  });
});

describe('A change of an account with pending work', () => {
  for (const [name, count] of [
    ['none', 0],
    ['one', 1],
    ['several', 2],
  ] as const)
    it(`wakes the relay for it where there is any: ${name}`, async () => {
      const { accounts } = openPorts().ports;
      await accounts.add(sampleAccount('ada'));
      const entries = ['one', 'two'].map((id) => sampleMail(id));
      let wakes = 0;
      const change = makeChangeAccount({
        accounts,
        wake: () => {
          wakes += 1;
        },
      });
      await change(
        () => accounts.find('ada'),
        (account) => ({
          next: account === undefined ? null : { ...account, pending: entries.slice(0, count) },
          answer: undefined,
        }),
      );
      expect(wakes).to.equal(count === 0 ? 0 : 1);
    });
});

describe('A change that lets another one go first', () => {
  it('waits as long as it is told, reads the account again and decides anew', async () => {
    const { accounts } = openPorts().ports;
    await accounts.add(sampleAccount('ada'));
    const waits: number[] = [];
    const change = makeChangeAccount({
      accounts,
      wake: () => undefined,
      delay: async (milliseconds) => {
        waits.push(milliseconds);
        const account = await accounts.find('ada');
        if (account !== undefined) await accounts.save({ ...account, displayName: `after ${milliseconds}` });
      },
    });
    const names: (string | null | undefined)[] = [];
    const answer = await change<string>(
      () => accounts.find('ada'),
      (account) => {
        names.push(account?.displayName);
        return names.length < 3
          ? { retryAfterMs: 7 * names.length }
          : { next: account ?? null, answer: 'changed' };
      },
    );
    expect(answer).to.equal('changed');
    expect(waits).to.deep.equal([7, 14]);
    expect(names).to.deep.equal([sampleAccount('ada').displayName, 'after 7', 'after 14']);
  });

  it('decides anew at once where nothing can wait, and ends when it is told so again and again', async () => {
    const { accounts } = openPorts().ports;
    await accounts.add(sampleAccount('ada'));
    const change = makeChangeAccount({ accounts, wake: () => undefined });
    const refusal = await rejectionOf(() =>
      change(
        () => accounts.find('ada'),
        () => ({ retryAfterMs: 1 }),
      ),
    );
    expect(refusal).to.include({ kind: 'unavailable', code: 'contended' });
  });
});

describe('Pending entries of an account', () => {
  let core: ReturnType<typeof openPorts>;
  let change: ReturnType<typeof makeChangeAccount>;
  let undone: number;
  const entries = (count: number, entryOf: (id: string) => Pending = sampleMail): readonly Pending[] =>
    Array.from({ length: count }, (_, place) => entryOf(`entry ${place}`));

  beforeEach(async () => {
    core = openPorts();
    undone = 0;
    await core.ports.accounts.add(sampleAccount('ada'));
    change = makeChangeAccount({ accounts: core.ports.accounts, wake: () => undefined });
  });

  const leave = (pending: readonly Pending[], differences: Partial<ReturnType<typeof sampleAccount>> = {}) =>
    change(
      () => core.ports.accounts.find('ada'),
      (account) => ({
        next: account === undefined ? null : { ...account, ...differences, pending },
        answer: 'changed',
        undo: async () => {
          undone += 1;
        },
      }),
    );

  it('are no more than 1,000: a change that adds one is refused, undone, and loses none', async () => {
    expect(await leave(entries(MOST_PENDING))).to.equal('changed');
    const refusal = await rejectionOf(() => leave(entries(MOST_PENDING + 1), { displayName: 'Eve' }));
    expect(refusal).to.include({ kind: 'unavailable', code: 'contended' });
    expect(undone).to.equal(1);
    const account = await core.ports.accounts.find('ada');
    expect(account?.pending).to.deep.equal(entries(MOST_PENDING));
    expect(account?.displayName).to.equal(sampleAccount('ada').displayName);
  });

  it('hinder no change that adds none, and none once some were passed on', async () => {
    // As an earlier version left them.
    await core.ports.accounts.add(sampleAccount('bob', { pending: entries(MOST_PENDING + 9) }));
    const ofBob = (count: number) =>
      change(
        () => core.ports.accounts.find('bob'),
        (account) => ({
          next: account === undefined ? null : { ...account, pending: entries(count) },
          answer: count,
        }),
      );
    expect(await ofBob(MOST_PENDING + 9)).to.equal(MOST_PENDING + 9);
    expect(await ofBob(MOST_PENDING + 5)).to.equal(MOST_PENDING + 5);
    expect(await ofBob(10)).to.equal(10);
    expect(await ofBob(11)).to.equal(11);
  });

  it('fit a document of 16 MB several times over', () => {
    const longest = '\u{1f600}'.repeat(500);
    const values = Object.fromEntries(
      Array.from({ length: 12 }, (_, place) => [`value ${place}`, 'x'.repeat(100)]),
    );
    const row = { ...sampleAuditEntry('entry'), at: NOW, reason: longest, before: values, after: values };
    expect(Buffer.byteLength(JSON.stringify(entries(MOST_PENDING, () => row)))).to.be.below(
      (16 * 1_048_576) / 3,
    );
  });
});
