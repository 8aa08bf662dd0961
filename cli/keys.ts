import { Command, Option } from 'commander';
import { withSealed } from '../core/key-status.ts';
import { type CommandContext, changeAndRecord, type KeyKind } from './context.ts';
import { countSealed, retireMaster, rotateMaster } from './master-keys.ts';
import { makeOutput, say } from './terminal/print-results.ts';
import { type ActingOptions, actingVerb, type CommonOptions, verb } from './terminal/verbs-and-options.ts';

interface RotateOptions extends ActingOptions {
  readonly kind: 'signing' | 'master';
  readonly now?: boolean;
}

/** `gatehouse keys`: create, list, rotate and retire keys. */
export const keysCommand = (context: CommandContext): Command => {
  const { makeKeyFile, keys, withReadOnly, lowerPriority } = context;
  const noun = new Command('keys').description('create, list, rotate and retire keys');

  verb(
    noun,
    'init <file>',
    'create a first key file, readable by you alone; an existing file stays unchanged',
  )
    .addOption(
      new Option('--kind <kind>', 'the purpose of the key')
        .choices(['signing', 'master', 'hash'])
        .makeOptionMandatory(),
    )
    .action(async (file: string, { kind, json }: CommonOptions & { readonly kind: KeyKind }) => {
      if (!(await makeKeyFile(kind, file))) throw new Error(`${file} exists already and was left unchanged.`);
      makeOutput(json).done(`Created a ${kind} key in ${file}.`, { kind, file });
    });

  verb(noun, 'status', 'list the keys in use, and the keys that wait or only verify').action(
    async ({ json }: CommonOptions) => {
      const listedKeys = await withReadOnly(async (product) =>
        withSealed(await keys.list(), await countSealed(product), await product.files.operate.masterKey()),
      );
      await makeOutput(json).list(listedKeys, [
        ['KIND', ({ kind }) => kind],
        ['ID', ({ id }) => id],
        ['STATE', ({ state }) => state],
        ['CREATED', ({ createdAt }) => createdAt ?? ''],
        ['SEALED', ({ sealed }) => sealed ?? ''],
      ]);
    },
  );

  actingVerb(
    noun,
    'rotate',
    'add a signing key, which signs after 10 minutes, or a master key, and re-encrypt everything with it',
  )
    .hook('preAction', lowerPriority)
    .addOption(new Option('--kind <kind>', 'which keys').choices(['signing', 'master']).default('signing'))
    .option(
      '--now',
      'let the key sign at once; verifiers with a cached copy of the public keys may refuse its first tokens',
    )
    .action(async (options: RotateOptions) => {
      const { kind, now = false, json } = options;
      if (kind === 'master') return rotateMaster(context, options);
      const work = { name: 'keys.rotate', done: 'keys.rotated', target: 'keys:signing' };
      const id = await changeAndRecord(context, options, work, async (_, recordStart) => {
        await recordStart();
        const keyId = await keys.rotateSigning({ atOnce: now });
        return { answer: keyId, after: { kind, atOnce: now }, made: `key:${keyId}` };
      });
      makeOutput(json).done(`Added the signing key ${id}.`, { kind, id });
    });

  actingVerb(
    noun,
    'retire <id>',
    'retire an old key: tokens that it signed are refused, and what it encrypted cannot be decrypted any more',
  )
    // Before a master key is retired, everything that it encrypted is counted, which may take minutes.
    .hook('preAction', lowerPriority)
    .option('--yes', 'even if such tokens or wrapped keys may still exist')
    .action(async (id: string, options: ActingOptions & { readonly yes?: boolean }) => {
      const { yes = false, json } = options;
      const listedKey = (await keys.list()).find((key) => key.id === id);
      if (listedKey?.kind === 'master') return retireMaster(context, id, options);
      // Of the keys that can be retired, only an `old` one may have signed tokens that are still valid.
      if (listedKey?.state === 'old' && !yes) {
        say('Tokens that this key signed may still be valid; their users would have to refresh them.');
        throw new Error('Nothing was retired: repeat the command with --yes to retire the key anyway.');
      }
      const work = { name: 'keys.retire', done: 'keys.retired', target: `key:${id}` };
      await changeAndRecord(context, options, work, async (_, recordStart) => {
        // `retireSigning` refuses an unknown id: such an attempt leaves no rows in the audit log.
        if (listedKey !== undefined) await recordStart();
        return { answer: await keys.retireSigning(id), after: { kind: 'signing' } };
      });
      makeOutput(json).done(`Retired the signing key ${id}.`, { kind: 'signing', id });
    });
  return noun;
};
