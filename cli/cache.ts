import { Command, Option } from 'commander';
import { CoreError, type Invalidate, type SyncType } from '../core/index.ts';
import type { Acting, Desk, Product } from './desk.ts';
import { makeOutput } from './terminal/output.ts';
import { type ActingOptions, actingVerb, type Common, countOption, verb } from './terminal/values.ts';

interface Invalidation extends ActingOptions {
  readonly type: Invalidate['type'];
  readonly all?: boolean;
}

/** The owner of files that an operator names: an account's id or email, or the user id of files without an account. */
const ownerOf = async ({ accounts }: Product, user: string): Promise<string> => {
  if (!user.includes('@')) return user;
  try {
    return (await accounts.operate.findUser(user)).id;
  } catch (error) {
    if (error instanceof CoreError && (error.kind === 'missing' || error.kind === 'invalid')) return user;
    throw error;
  }
};

/** `gatehouse cache`: look at the cache of file records, fill it and empty it. */
export const cacheCommand = ({ act, by, look }: Desk): Command => {
  const noun = new Command('cache').description('fill, empty and look at the cache of file records');

  const invalidate = async (product: Product, given: string, type: Invalidate['type'], acting: Acting) => {
    const user = await ownerOf(product, given);
    const done = await product.files.invalidate({ user, type });
    if (type === 'DEL') {
      const { record } = product.accounts.operate;
      await record('files.deleted', user, { files: done.invalidated }, by(acting));
    }
    return done;
  };

  actingVerb(
    noun,
    'invalidate [user]',
    'take a user’s entries out of the cache, or delete the records with them',
  )
    .addOption(
      new Option('--type <type>', 'OUT: from the cache alone; DEL: the records too')
        .choices(['OUT', 'DEL'])
        .makeOptionMandatory(),
    )
    .option('--all', 'in place of a user: every entry, for OUT')
    .action(async (user: string | undefined, options: Invalidation, command: Command) => {
      const { type, all = false, json } = options;
      if (all === (user !== undefined) || (all && type === 'DEL')) {
        command.error('error: name a user, or say --all with --type OUT');
      }
      if (user === undefined) {
        const invalidated = await look(({ files }) => files.operate.clearCache());
        return makeOutput(json).done(`Took ${invalidated} entries out of the cache.`, { type, invalidated });
      }
      const done = await act((product) => invalidate(product, user, type, options));
      const what = type === 'OUT' ? 'entries out of the cache' : 'records, and their entries in the cache';
      makeOutput(json).done(`Took ${done.invalidated} ${what}.`, { ...done });
    });

  verb(noun, 'sync <user>', 'copy a user’s records into the cache for a day')
    .addOption(
      new Option('--type <type>', 'all files or the most active; One: all or nothing, Two: what fits')
        .choices(['allOne', 'allTwo', 'mostOne', 'mostTwo'])
        .makeOptionMandatory(),
    )
    .action(async (given: string, { type, json }: Common & { readonly type: SyncType }) => {
      const done = await look(async (product) =>
        product.files.syncCache({ user: await ownerOf(product, given), type }),
      );
      makeOutput(json).done(`Cached ${done.synced} records, left out ${done.skipped}.`, { ...done });
    });

  verb(noun, 'prefetch <user>', 'cache a user’s most active files for a day')
    .requiredOption('--limit <number>', 'the most files to cache', countOption)
    .action(async (given: string, { limit, json }: Common & { readonly limit: number }) => {
      const done = await look(async (product) =>
        product.files.prefetch({ user: await ownerOf(product, given), limit }),
      );
      makeOutput(json).done(`Cached ${done.prefetched} records.`, { ...done });
    });

  verb(noun, 'stats', 'count what is cached').action(async ({ json }: Common) => {
    makeOutput(json).one({ ...(await look(({ files }) => files.operate.cacheStats())) });
  });
  return noun;
};
