import { Command } from 'commander';
import type { CommandContext, LeftOut } from './context.ts';
import { makeOutput, say } from './terminal/print-results.ts';
import { makeProgress } from './terminal/progress.ts';
import { type ActingOptions, actingVerb, type CommonOptions, verb } from './terminal/verbs-and-options.ts';

const sayLeftOut = ({ keyFiles, secretSettings, mail, bucket, sandbox }: LeftOut) => {
  for (const file of keyFiles) say(`Not in the backup, keep it safe elsewhere: ${file}`);
  for (const setting of secretSettings)
    say(`Not in the backup, keep it safe elsewhere: the value of ${setting}`);
  if (bucket !== null) say(`Not in the backup, since a bucket stores the avatars: ${bucket}`);
  if (mail !== null) say(`Not in the backup, since mail is only in transit: ${mail}`);
  if (sandbox !== null) say(`Not in the backup, copy it to keep subscriptions of the sandbox: ${sandbox}`);
};

/** `gatehouse store`: upgrade a store, back up and restore the embedded one, and move all records to another store. */
export const storeCommand = ({ store, withChanges, by, lowerPriority }: CommandContext): Command => {
  const noun = new Command('store').description('upgrade, back up, restore, export and import the store');

  verb(noun, 'migrate', 'upgrade the schema, while servers run').action(async ({ json }: CommonOptions) => {
    const { before, now } = await store.migrate();
    const message =
      before === now
        ? `Schema and indexes are up to date (schema ${now}).`
        : `Upgraded the schema from ${before} to ${now}.`;
    makeOutput(json).done(message, { before, now });
  });

  actingVerb(noun, 'backup <file>', 'write store and avatars into one archive, while servers run')
    .hook('preAction', lowerPriority)
    .action(async (file: string, { json, ...operator }: ActingOptions) => {
      const report = await store.backup(file);
      const { objects, bytes, isOlder } = report;
      // Before the row in the audit log: the backup is complete even if a full disk or a damaged key file prevents the row.
      makeOutput(json).done(`Wrote ${report.file}: ${bytes} bytes, ${objects} avatars.`, report);
      sayLeftOut(report.leftOut);
      // A store is backed up before an upgrade, so this program may be newer than the store.
      if (isOlder) return say('Not recorded in the audit log: the store has an older schema.');
      await withChanges(({ accounts: { operate } }) =>
        operate.record('store.backed_up', 'store', { objects, bytes }, by(operator)),
      ).catch((error: unknown) => {
        say('The backup is complete, but it could not be recorded in the audit log:');
        throw error;
      });
    });

  verb(noun, 'restore <file>', 'restore a backup into an empty DATA_DIR, before any start').action(
    async (file: string, { json }: CommonOptions) => {
      const report = await store.restore(file);
      makeOutput(json).done(`Restored into ${report.dataDir}, with ${report.objects} avatars.`, report);
      const { keyFiles, secretSettings, bucket, sandbox } = report.leftOut;
      for (const keyFile of keyFiles) say(`Put in place before the start: ${keyFile}`);
      for (const setting of secretSettings) say(`Set before the start, as it was: ${setting}`);
      if (bucket !== null && report.objects > 0)
        say(`Copy before the start: ${report.dataDir}/objects to ${bucket}`);
      if (sandbox !== null)
        say(`Put in place before the start to keep subscriptions of the sandbox: ${sandbox}`);
    },
  );

  verb(noun, 'export <file>', 'export the whole installation as JSON lines, while no server runs')
    .hook('preAction', lowerPriority)
    .action(async (file: string, { json }: CommonOptions) => {
      const progress = makeProgress();
      const report = await store
        .exportTo(file, (share, section) => progress.show(share, section))
        .finally(progress.clear);
      makeOutput(json).done(
        `Wrote ${report.file}: ${report.records} records, SHA-256 ${report.sha256}.`,
        report,
      );
      for (const key of report.keysNeeded) say(`Not in the export, copy it as well: ${key}`);
    });

  verb(noun, 'import <file>', 'import an exported installation into an empty store')
    .hook('preAction', lowerPriority)
    .action(async (file: string, { json }: CommonOptions) => {
      const progress = makeProgress();
      const report = await store
        .importFrom(file, (share) => progress.show(share, 'imported'))
        .finally(progress.clear);
      makeOutput(json).done(`Imported ${report.records} records.`, report);
      for (const key of report.keysNeeded)
        say(`Put in place before the start, from the exported installation: ${key}`);
    });
  return noun;
};
