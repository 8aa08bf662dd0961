import { expect } from 'chai';
import { calls } from './rows/calls.ts';

describe('A request', () => {
  it('calls the store no oftener than it did', async () => {
    const rows = await calls({ seconds: 1, rounds: 1, full: false, say: () => undefined });
    const counts = rows.map(({ row, product }) => [row.replace('calls of the store: ', ''), product]);
    expect(Object.fromEntries(counts)).to.deep.equal({
      // The account, and the counts of mails.
      register: 2,
      login: 3,
      refresh: 2,
      'GET /api/auth/me': 1,
      'record read, not cached': 1,
      'record read, cached': 0,
    });
  });
});
