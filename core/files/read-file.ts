import { isId } from '../ids.ts';
import { fileNotFound } from './errors.ts';
import type { Kit } from './kit.ts';
import { makeSingleFlight } from './single-flight.ts';

export const makeReadFile = ({ accesses, entries, files }: Pick<Kit, 'accesses' | 'entries' | 'files'>) => {
  const read = makeSingleFlight((id) => entries.read(id, () => files.find(id)));

  return async (id: string): Promise<string> => {
    const entry = isId(id) ? await read(id) : undefined;
    if (entry === undefined) throw fileNotFound();
    accesses.note(id);
    return entry;
  };
};
