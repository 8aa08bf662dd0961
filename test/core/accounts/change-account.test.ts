import { expect } from 'chai';
import { type Decision, MOST_PENDING, makeChangeAccount } from '../../../core/accounts/change-account.ts';
import type { Pending } from '../../../core/accounts/outbox-entries.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { NOW, sampleAccount, sampleAuditEntry, sampleMail } from '../../contracts/samples.ts';
import { openPorts } from './open-core.ts';

describe('A side effect of an account change', () => {
  let core: ReturnType<typeof openPorts>;
  beforeEach(async () => {
    core = openPorts();
    await core.ports.accounts.add(sampleAccount('ada'));
  });

  /** Changes ada in a store whose first writes have these results, and returns the attempts that were undone. */
  const changeWith = async (writes: (false | Error)[], failingUndos = 0) => {
    const { accounts } = core.ports;
    let attempts = 0;
    let failures = failingUndos;
    const undone: number[] = [];
    const change = makeChangeAccount({
      accounts: {
        ...accounts,
        save: async (account) => {
          const result = writes.shift();
          if (result instanceof Error) throw result;
          return result ?? accounts.save(account);
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

  it('is kept if the account was written', async () => {
    const { answer, undone } = await changeWith([]);
    expect(await answer).to.equal(1);
    expect(undone).to.deep.equal([]);
  });

  it('is undone before the next attempt if another write came first', async () => {
    const { answer, undone } = await changeWith([false, false]);
    expect(await answer).to.equal(3);
    expect(undone).to.deep.equal([1, 2]);
  });

  it('is undone again if the first undo fails', async () => {
    const { answer, undone } = await changeWith([false], 1);
    expect(await answer).to.equal(2);
    expect(undone).to.deep.equal([1, 1]);
  });

  it('is undone if the write fails, whose error is thrown even if the undo fails', async () => {
    const down = new Error('The store is down.');
    for (const failing of [0, 2]) {
      const { answer, undone } = await changeWith([down], failing);
      expect(await rejectionOf(() => answer)).to.equal(down);
      expect(undone).to.deep.equal([1]);
    }
  });
});

describe('An account change with pending entries', () => {
  for (const [name, count] of [
    ['none', 0],
    ['one', 1],
    ['several', 2],
  ] as const)
    it(`wakes the relay only if entries are pending: ${name}`, async () => {
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

describe('An account change that yields to another change', () => {
  it('waits for the requested time, reads the account again and decides again', async () => {
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

  it('retries at once without a delay port, and fails with `contended` after too many retries', async () => {
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

  const changeTo = (
    pending: readonly Pending[],
    differences: Partial<ReturnType<typeof sampleAccount>> = {},
  ) =>
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

  it('number at most 1,000, and a change that would add another is refused and undone', async () => {
    expect(await changeTo(entries(MOST_PENDING))).to.equal('changed');
    const refusal = await rejectionOf(() => changeTo(entries(MOST_PENDING + 1), { displayName: 'Eve' }));
    expect(refusal).to.include({ kind: 'unavailable', code: 'contended' });
    expect(undone).to.equal(1);
    const account = await core.ports.accounts.find('ada');
    expect(account?.pending).to.deep.equal(entries(MOST_PENDING));
    expect(account?.displayName).to.equal(sampleAccount('ada').displayName);
  });

  it('do not block a change that adds none, or any change after some were relayed', async () => {
    // An earlier version could store more entries.
    await core.ports.accounts.add(sampleAccount('bob', { pending: entries(MOST_PENDING + 9) }));
    const changeBob = (count: number) =>
      change(
        () => core.ports.accounts.find('bob'),
        (account) => ({
          next: account === undefined ? null : { ...account, pending: entries(count) },
          answer: count,
        }),
      );
    expect(await changeBob(MOST_PENDING + 9)).to.equal(MOST_PENDING + 9);
    expect(await changeBob(MOST_PENDING + 5)).to.equal(MOST_PENDING + 5);
    expect(await changeBob(10)).to.equal(10);
    expect(await changeBob(11)).to.equal(11);
  });

  it('take less than a third of a 16 MB document, even with the largest rows', () => {
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
