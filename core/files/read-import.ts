import { invalid } from '../errors.ts';
import { isId } from '../ids.ts';
import { type Fields, readFields } from '../import-lines.ts';
import { readTime } from '../times.ts';
import { acceptFile, type CreateFile, type IdentifiedFile } from './file-record.ts';
import type { Kit } from './kit.ts';

const wrong = (field: string, wanted: string) => invalid('invalid_line', `'${field}' must be ${wanted}.`);

const textOf = (fields: Fields, name: string): string => {
  const value = fields[name];
  if (typeof value === 'string') return value;
  throw wrong(name, 'a string');
};

const fileOf = (fields: Fields): CreateFile => {
  const { size, thumb } = fields;
  if (typeof size !== 'number') throw wrong('size', 'a number');
  if (typeof thumb !== 'boolean') throw wrong('thumb', 'true or false');
  return {
    filenameEnc: textOf(fields, 'filenameEnc'),
    size,
    user: textOf(fields, 'user'),
    mimeType: textOf(fields, 'mimeType'),
    dekEnc: textOf(fields, 'dekEnc'),
    thumb,
  };
};

/**
 * Reads lines of an import: the fields of a new file and, if present, its id and time. The function it returns throws
 * `invalid` with the fault of the line.
 */
export const makeReadImport = ({ clock, newId, policy }: Pick<Kit, 'clock' | 'newId' | 'policy'>) => {
  const idOf = (fields: Fields): string => {
    if (fields.id === undefined || fields.id === null) return newId();
    const id = textOf(fields, 'id').toLowerCase();
    if (isId(id)) return id;
    throw wrong('id', 'a UUID');
  };

  const timeOf = (fields: Fields): number => {
    const now = clock.now();
    if (fields.uploadedDate === undefined || fields.uploadedDate === null) return now;
    const time = readTime(textOf(fields, 'uploadedDate'));
    if (time === undefined || time < 0 || time > now)
      throw wrong('uploadedDate', 'an ISO 8601 time of the past');
    return time;
  };

  return (line: string): IdentifiedFile => {
    const fields = readFields(line);
    const file = fileOf(fields);
    acceptFile(file, policy);
    return { ...file, id: idOf(fields), uploadedAt: timeOf(fields) };
  };
};
