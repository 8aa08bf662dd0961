import { expect } from 'chai';
import { calls } from './rows/calls.ts';

describe('The benchmark of store calls', () => {
  it('counts the expected number of calls for each request', async () => {
    const rows = await calls({ seconds: 1, rounds: 1, full: false, say: () => undefined });
    const counts = rows.map(({ row, product }) => [row.replace('calls of the store: ', ''), product]);
    expect(Object.fromEntries(counts)).to.deep.equal({
      // One call stores the account, the other counts mails.
      register: 2,
      login: 3,
      refresh: 2,
      'GET /api/auth/me': 1,
      'record read, not cached': 1,
      'record read, cached': 0,
    });
  });
});
