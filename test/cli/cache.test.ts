import { expect } from 'chai';
import { cacheCommand } from '../../cli/cache.ts';
import type { CommandContext } from '../../cli/context.ts';
import { CoreError, unavailable } from '../../core/errors.ts';
import { rejectionOf } from '../contracts/rejection.ts';
import { documentsOf } from './run-command.ts';
import { recorded, recordWork, rowsOf, runLine, withCall } from './run-line.ts';

describe('The user whose email a cache command is called with', () => {
  /** Returns the users whose records are copied. The copy fails, so that the command prints nothing. */
  const syncWith = async (findUser: () => Promise<unknown>) => {
    const users: string[] = [];
    const product = {
      accounts: { operate: { findUser } },
      files: {
        syncCache: async ({ user }: { readonly user: string }) => {
          users.push(user);
          throw new Error('The copy fails.');
        },
      },
    };
    const runReadOnly = (job: (product: unknown) => Promise<unknown>) => job(product);
    const command = cacheCommand({ withReadOnly: runReadOnly } as unknown as CommandContext);
    const error = await rejectionOf(() =>
      command.parseAsync(['sync', 'ada@example.com', '--type', 'allOne'], { from: 'user' }),
    );
    return { users, error };
  };

  it('is the account with that email', async () => {
    expect((await syncWith(async () => ({ id: 'ada' }))).users).to.deep.equal(['ada']);
  });

  it('is the given text itself if no account has that email or the email is invalid', async () => {
    for (const kind of ['missing', 'invalid'] as const) {
      const { users } = await syncWith(() => Promise.reject(new CoreError(kind, 'user_not_found', 'None.')));
      expect(users, kind).to.deep.equal(['ada@example.com']);
    }
  });

  it('is not replaced by the given text if the look-up fails', async () => {
    const failures = [unavailable('store_unavailable', 'The store is down.'), new TypeError('A mistake.')];
    for (const failure of failures)
      expect(await syncWith(() => Promise.reject(failure))).to.deep.equal({ users: [], error: failure });
  });
});

describe('The cache commands', () => {
  it('delete the records of a user, and write an audit row', async () => {
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

  it('count the entries of the cache and their bytes', async () => {
    const product = withCall('files.operate.cacheStats', async () => ({ entries: 7, bytes: 800 }));
    expect(rowsOf((await runLine(['cache', 'stats'], product)).stdout)).to.deep.equal([
      'entries|7',
      'bytes|800',
    ]);
  });
});
