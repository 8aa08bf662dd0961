import { expect } from 'chai';
import { type Decision, makeChangeAccount } from '../../../core/accounts/change-account.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { sampleAccount, sampleMail } from '../../contracts/samples.ts';
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
