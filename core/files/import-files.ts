import { type ImportCounts, type ImportOptions, importLines, type Lines } from '../import-lines.ts';
import { invalidFile } from './errors.ts';
import { storedFile } from './file-record.ts';
import type { Kit } from './kit.ts';
import { makeReadImport } from './read-import.ts';

/**
 * Imports records, one JSON object a line. A record whose id is there already is passed over, so an import that was
 * broken off is simply begun again where the lines have ids.
 */
export const makeImportFiles = (kit: Kit) => {
  const { files, kms, log, owners } = kit;
  const readLine = makeReadImport(kit);

  const importOne = async (line: string, dryRun: boolean): Promise<'added' | 'skipped'> => {
    const file = readLine(line);
    if ((await owners.standing(file.user)) === 'deleted') {
      throw invalidFile("The account of 'user' was deleted.");
    }
    if (dryRun) return (await files.find(file.id)) === undefined ? 'added' : 'skipped';
    return (await files.add(storedFile(file, kms))) ? 'added' : 'skipped';
  };

  return async (lines: Lines, options: ImportOptions): Promise<ImportCounts> => {
    const counts = await importLines(lines, options, (line) => importOne(line, options.dryRun));
    if (!options.dryRun) log.info('operator.acted', { reason: 'files.imported', count: counts.added });
    return counts;
  };
};
