import { invalid } from '../errors.ts';
import { isId } from '../ids.ts';
import {
  type Fields,
  type ImportCounts,
  type ImportOptions,
  importLines,
  type Lines,
  makeLineReader,
  readFields,
} from '../import-lines.ts';
import { readTime } from '../iso-times.ts';
import { type Addition, makeAddFile } from './create-file.ts';
import type { Deps } from './deps.ts';
import { invalidFile } from './errors.ts';
import { acceptFile, type CreateFileInput, type IdentifiedFile } from './file-record.ts';

const invalidField = (field: string, expected: string) =>
  invalid('invalid_line', `'${field}' must be ${expected}.`);

const textOf = (fields: Fields, name: string): string => {
  const value = fields[name];
  if (typeof value === 'string') return value;
  throw invalidField(name, 'a string');
};

const fileOf = (fields: Fields): CreateFileInput => {
  const { size, thumb } = fields;
  if (typeof size !== 'number') throw invalidField('size', 'a number');
  if (typeof thumb !== 'boolean') throw invalidField('thumb', 'true or false');
  return {
    filenameEnc: textOf(fields, 'filenameEnc'),
    size,
    user: textOf(fields, 'user'),
    mimeType: textOf(fields, 'mimeType'),
    dekEnc: textOf(fields, 'dekEnc'),
    thumb,
  };
};

/** Reads a line: the fields of a new file and, if present, its id and time. Throws `invalid`, whose message names the problem. */
const makeReadImport = ({ clock, newId, policy }: Pick<Deps, 'clock' | 'newId' | 'policy'>) => {
  const idOf = (fields: Fields): string => {
    if (fields.id === undefined || fields.id === null) return newId();
    const id = textOf(fields, 'id').toLowerCase();
    if (isId(id)) return id;
    throw invalidField('id', 'a UUID');
  };

  const timeOf = (fields: Fields): number => {
    const now = clock.now();
    if (fields.uploadedDate === undefined || fields.uploadedDate === null) return now;
    const time = readTime(textOf(fields, 'uploadedDate'));
    if (time === undefined || time < 0 || time > now)
      throw invalidField('uploadedDate', 'an ISO 8601 time from 1970 until now');
    return time;
  };

  return (line: string): IdentifiedFile => {
    const fields = readFields(line);
    const file = fileOf(fields);
    acceptFile(file, policy);
    return { ...file, id: idOf(fields), uploadedAt: timeOf(fields) };
  };
};

export const makeImportFiles = (deps: Deps) => {
  const { files, log, owners } = deps;
  const readLine = makeLineReader(makeReadImport(deps));
  const addFile = makeAddFile(deps);

  /**
   * What `addFile` would return, for a dry run. The ids of earlier lines count as free, and so do those of removed records that
   * are not purged yet.
   */
  const previewAddition = async ({ id, user }: IdentifiedFile): Promise<Addition> => {
    if ((await owners.standing(user)) === 'deleted') return 'gone';
    return (await files.find(id)) === undefined ? 'added' : 'taken';
  };

  const importOne = async (line: string, dryRun: boolean): Promise<'added' | 'skipped'> => {
    const file = readLine(line);
    const addition = await (dryRun ? previewAddition : addFile)(file);
    if (addition === 'gone') throw invalidFile("The account of 'user' was deleted.");
    return addition === 'added' ? 'added' : 'skipped';
  };

  return async (lines: Lines, options: ImportOptions): Promise<ImportCounts> => {
    const counts = await importLines(lines, options, (line) => importOne(line, options.dryRun));
    if (!options.dryRun) log.info('operator.acted', { reason: 'files.imported', count: counts.added });
    return counts;
  };
};
