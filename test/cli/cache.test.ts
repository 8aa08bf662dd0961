import { expect } from 'chai';
import { cacheCommand } from '../../cli/cache.ts';
import type { CommandContext } from '../../cli/context.ts';
import { CoreError, unavailable } from '../../core/errors.ts';
import { rejectionOf } from '../contracts/rejection.ts';
import { documentsOf } from './run-command.ts';
import { recorded, recordWork, rowsOf, runLine, withCall } from './run-line.ts';

describe('The owner of files whom a command names by email', () => {
  /** The users whose records are copied. The copy fails, so that nothing is printed. */
  const syncWith = async (findUser: () => Promise<unknown>) => {
    const users: string[] = [];
    const product = {
      accounts: { operate: { findUser } },
      files: {
        syncCache: async ({ user }: { readonly user: string }) => {
          users.push(user);
          throw new Error('It was asked.');
        },
      },
    };
    const look = (job: (product: unknown) => Promise<unknown>) => job(product);
    const command = cacheCommand({ withReadOnly: look } as unknown as CommandContext);
    const error = await rejectionOf(() =>
      command.parseAsync(['sync', 'ada@example.com', '--type', 'allOne'], { from: 'user' }),
    );
    return { users, error };
  };

  it('is the account of that email', async () => {
    expect((await syncWith(async () => ({ id: 'ada' }))).users).to.deep.equal(['ada']);
  });

  it('is a user of that name where there is no such account, or it is no email', async () => {
    for (const kind of ['missing', 'invalid'] as const) {
      const { users } = await syncWith(() => Promise.reject(new CoreError(kind, 'user_not_found', 'None.')));
      expect(users, kind).to.deep.equal(['ada@example.com']);
    }
  });

  it('is nobody while the store cannot say who it is', async () => {
    const failures = [unavailable('store_unavailable', 'The store is down.'), new TypeError('A mistake.')];
    for (const failure of failures)
      expect(await syncWith(() => Promise.reject(failure))).to.deep.equal({ users: [], error: failure });
  });
});

describe('The cache commands', () => {
  it('delete a user’s records, which is recorded', async () => {
    const deleteFiles = async (_: string, recordStart: () => Promise<void>) => {
      await recordStart();
      return 4;
    };
    const product = {
      ...withCall('files.operate.deleteFiles', deleteFiles),
      accounts: { operate: { recordWork } },
    };
    const run = (...options: readonly string[]) =>
      runLine(['cache', 'invalidate', 'u1', '--type', 'DEL', ...options], product);
    expect((await run()).stderr).to.equal('Removed 4 records, and their entries in the cache.\n');
    expect(recorded).to.deep.equal({
      ...{ name: 'files.delete', done: 'files.deleted', target: 'u1', after: { files: 4 }, started: true },
    });
    const result = { user: 'u1', type: 'DEL', invalidated: 4 };
    expect(documentsOf(await run('--json'))).to.deep.equal([result]);
  });

  it('count what is cached', async () => {
    const product = withCall('files.operate.cacheStats', async () => ({ entries: 7, bytes: 800 }));
    expect(rowsOf((await runLine(['cache', 'stats'], product)).stdout)).to.deep.equal([
      'entries|7',
      'bytes|800',
    ]);
  });
});
