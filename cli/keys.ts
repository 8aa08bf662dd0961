import { Command, Option } from 'commander';
import type { Desk, KeyKind } from './desk.ts';
import { retireMaster, rotateMaster, withSealed } from './keys-master.ts';
import { makeOutput, say } from './terminal/output.ts';
import { type ActingOptions, actingVerb, type Common, verb } from './terminal/values.ts';

interface Init extends Common {
  readonly kind: KeyKind;
}

interface Rotate extends ActingOptions {
  readonly kind: 'signing' | 'master';
  readonly now?: boolean;
}

interface Retire extends ActingOptions {
  readonly yes?: boolean;
}

/** `gatehouse keys`: make, look at and change key files. */
export const keysCommand = (desk: Desk): Command => {
  const { makeKeyFile, keys, act, by, look } = desk;
  const noun = new Command('keys').description('make, look at and change key files');

  verb(noun, 'init <file>', 'make a first key file, readable by you alone; one that is there stays as it is')
    .addOption(
      new Option('--kind <kind>', 'what the key is for')
        .choices(['signing', 'master', 'hash'])
        .makeOptionMandatory(),
    )
    .action(async (file: string, { kind, json }: Init) => {
      if (!(await makeKeyFile(kind, file)))
        throw new Error(`${file} is there already and was left as it is.`);
      makeOutput(json).done(`Made a ${kind} key in ${file}.`, { kind, file });
    });

  verb(noun, 'status', 'list the keys that are in use, and those that wait or only verify').action(
    async ({ json }: Common) => {
      const lines = await look(async (product) => withSealed(await keys.list(), product));
      await makeOutput(json).list(lines, [
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
    'add a signing key, which signs after 10 minutes, or a master key, and seal all anew with it',
  )
    .addOption(new Option('--kind <kind>', 'which keys').choices(['signing', 'master']).default('signing'))
    .option('--now', 'let it sign at once; who keeps a copy of the public keys may refuse its first tokens')
    .action(async (options: Rotate) => {
      const { kind, now = false, json } = options;
      if (kind === 'master') return rotateMaster(desk, options);
      const id = await act(async ({ accounts: { operate } }) => {
        const made = await keys.rotateSigning({ atOnce: now });
        await operate.record('keys.rotated', `key:${made}`, { kind, atOnce: now }, by(options));
        return made;
      });
      makeOutput(json).done(`Added the signing key ${id}.`, { kind, id });
    });

  actingVerb(
    noun,
    'retire <id>',
    'take an old key away: tokens it signed are refused, what it wrapped opens no more',
  )
    .option('--yes', 'even while such tokens or wrapped keys may be about')
    .action(async (id: string, options: Retire) => {
      const { yes = false, json } = options;
      const line = (await keys.list()).find((one) => one.id === id);
      if (line?.kind === 'master') return retireMaster(desk, id, options);
      if (line?.state === 'old' && !yes) {
        say('Tokens that this key signed may still live; their users would have to refresh them.');
        throw new Error('Nothing was retired: say --yes to do it all the same.');
      }
      await act(async ({ accounts: { operate } }) => {
        await keys.retireSigning(id);
        await operate.record('keys.retired', `key:${id}`, { kind: 'signing' }, by(options));
      });
      makeOutput(json).done(`Retired the signing key ${id}.`, { kind: 'signing', id });
    });
  return noun;
};
