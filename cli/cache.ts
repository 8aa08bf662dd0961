import { Command, Option } from 'commander';
import { CoreError, type InvalidateInput, type SyncType } from '../core/index.ts';
import type { CommandContext, OperatorOptions, Product } from './context.ts';
import { makeOutput } from './terminal/print-results.ts';
import {
  type ActingOptions,
  actingVerb,
  type CommonOptions,
  countOption,
  verb,
} from './terminal/verbs-and-options.ts';

interface InvalidateOptions extends ActingOptions {
  readonly type: InvalidateInput['type'];
  readonly all?: boolean;
}

/** The owner of files that an operator names: an account's id or email, or the user id of files without an account. */
const ownerOf = async ({ accounts }: Product, user: string): Promise<string> => {
  if (!user.includes('@')) return user;
  try {
    return (await accounts.operate.findUser(user)).id;
  } catch (error) {
    // The user id of files without an account is any text, so it may contain `@`, too.
    if (error instanceof CoreError && (error.kind === 'missing' || error.kind === 'invalid')) return user;
    throw error;
  }
};

/** `gatehouse cache`: look at the cache of file records, fill it and empty it. `withReadOnly` lets a verb change the cache. */
export const cacheCommand = ({ withChanges, by, withReadOnly }: CommandContext): Command => {
  const noun = new Command('cache').description('fill, empty and count the cache of file records');

  const invalidate = async (
    product: Product,
    user: string,
    type: InvalidateInput['type'],
    operator: OperatorOptions,
  ) => {
    const { accounts, files } = product;
    const owner = await ownerOf(product, user);
    if (type === 'OUT') return files.invalidate({ user: owner, type });
    const run = async (recordStart: () => Promise<void>) => {
      const invalidated = await files.operate.deleteFiles(owner, recordStart);
      return { answer: { user: owner, type, invalidated }, after: { files: invalidated } };
    };
    const work = { name: 'files.delete', done: 'files.deleted', target: owner, run };
    return accounts.operate.recordWork(work, by(operator));
  };

  actingVerb(
    noun,
    'invalidate [user]',
    'remove a user’s entries from the cache, or delete the records as well',
  )
    .addOption(
      new Option('--type <type>', 'OUT: from the cache alone; DEL: the records as well')
        .choices(['OUT', 'DEL'])
        .makeOptionMandatory(),
    )
    .option('--all', 'every entry, instead of a user’s; for OUT')
    .action(async (user: string | undefined, options: InvalidateOptions, command: Command) => {
      const { type, all = false, json } = options;
      const areBothOrNeitherGiven = all === (user !== undefined);
      if (areBothOrNeitherGiven || (all && type === 'DEL')) {
        command.error('error: give a user, or --all with --type OUT');
      }
      if (user === undefined) {
        const invalidated = await withReadOnly(({ files }) => files.operate.clearCache());
        return makeOutput(json).done(`Removed ${invalidated} entries from the cache.`, { type, invalidated });
      }
      const result = await withChanges((product) => invalidate(product, user, type, options));
      const removed = type === 'OUT' ? 'entries from the cache' : 'records, and their entries in the cache';
      makeOutput(json).done(`Removed ${result.invalidated} ${removed}.`, result);
    });

  verb(noun, 'sync <user>', 'copy a user’s records into the cache for a day')
    .addOption(
      new Option('--type <type>', 'all files or the most active; One: all or nothing, Two: what fits')
        .choices(['allOne', 'allTwo', 'mostOne', 'mostTwo'])
        .makeOptionMandatory(),
    )
    .action(async (user: string, { type, json }: CommonOptions & { readonly type: SyncType }) => {
      const result = await withReadOnly(async (product) =>
        product.files.syncCache({ user: await ownerOf(product, user), type }),
      );
      makeOutput(json).done(`Cached ${result.synced} records, left out ${result.skipped}.`, result);
    });

  verb(noun, 'prefetch <user>', 'cache a user’s most active files for a day')
    .requiredOption('--limit <number>', 'the maximum number of files', countOption)
    .action(async (user: string, { limit, json }: CommonOptions & { readonly limit: number }) => {
      const result = await withReadOnly(async (product) =>
        product.files.prefetch({ user: await ownerOf(product, user), limit }),
      );
      makeOutput(json).done(`Cached ${result.prefetched} records.`, result);
    });

  verb(noun, 'stats', 'count what is cached').action(async ({ json }: CommonOptions) => {
    makeOutput(json).record(await withReadOnly(({ files }) => files.operate.cacheStats()));
  });
  return noun;
};
