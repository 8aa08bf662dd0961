import { expect } from 'chai';
import type { WrongCount } from '../../../../core/accounts/directory.ts';
import { createAccounts } from '../../../../core/index.ts';
import { openPorts } from '../open-core.ts';

const DAY = 86_400_000;

describe('The verification of stored counts', () => {
  const open = (answers: (readonly WrongCount[] | null)[]) => {
    const { ports, lines } = openPorts();
    let now = Date.UTC(2026, 4, 28, 12);
    const { background } = createAccounts({
      ...ports,
      clock: { now: () => now },
      directory: {
        ...ports.directory,
        verifyCounts: async () => {
          const [answer = []] = answers.splice(0, 1);
          return answer;
        },
      },
    });
    return {
      answers,
      lines,
      pass: (milliseconds: number) => {
        now += milliseconds;
      },
      /** Verifies the counts, and returns how often the caller could release the event loop. */
      verify: async () => {
        let pauses = 0;
        for await (const _ of background.verifyCounts()) pauses += 1;
        return pauses;
      },
    };
  };

  it('continues over all pages, and logs each wrong count with its excess', async () => {
    const { lines, verify } = open([null, null, [{ name: 'accounts tier=pro', excess: -2 }]]);
    expect(await verify()).to.equal(2);
    expect(lines).to.deep.equal([
      { level: 'error', event: 'counts.corrected', fields: { id: 'accounts tier=pro', count: -2 } },
      { level: 'info', event: 'counts.verified', fields: { count: 1 } },
    ]);
  });

  it('runs once a day', async () => {
    const { answers, lines, pass, verify } = open([[], null, []]);
    expect([await verify(), await verify(), answers.length]).to.deep.equal([0, 0, 2]);
    pass(DAY);
    expect([await verify(), await verify(), answers.length]).to.deep.equal([1, 0, 0]);
    expect(lines.map(({ event }) => event)).to.deep.equal(['counts.verified', 'counts.verified']);
  });
});
