import { type ImportCounts, type ImportOptions, importLines, type Lines } from '../import-lines.ts';
import { type Addition, makeAddFile } from './add-file.ts';
import { invalidFile } from './errors.ts';
import type { IdentifiedFile } from './file-record.ts';
import type { Kit } from './kit.ts';
import { makeReadImport } from './read-import.ts';

export const makeImportFiles = (kit: Kit) => {
  const { files, log, owners } = kit;
  const readLine = makeReadImport(kit);
  const addFile = makeAddFile(kit);

  /** What adding it would come to. */
  const tryFile = async ({ id, user }: IdentifiedFile): Promise<Addition> => {
    if ((await owners.standing(user)) === 'deleted') return 'gone';
    return (await files.find(id)) === undefined ? 'added' : 'taken';
  };

  const importOne = async (line: string, dryRun: boolean): Promise<'added' | 'skipped'> => {
    const file = readLine(line);
    const addition = await (dryRun ? tryFile : addFile)(file);
    if (addition === 'gone') throw invalidFile("The account of 'user' was deleted.");
    return addition === 'added' ? 'added' : 'skipped';
  };

  return async (lines: Lines, options: ImportOptions): Promise<ImportCounts> => {
    const counts = await importLines(lines, options, (line) => importOne(line, options.dryRun));
    if (!options.dryRun) log.info('operator.acted', { reason: 'files.imported', count: counts.added });
    return counts;
  };
};
