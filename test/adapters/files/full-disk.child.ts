import { makeFileObjects } from '../../../adapters/files/object-store.ts';
import { CoreError } from '../../../core/errors.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

// Runs with a limit on file sizes: stores a small, a large and a small object, and reports the result of each.
const [folder = ''] = process.argv.slice(2);
const log = makeRecordingLog();
const store = makeFileObjects({ folder, log });

const put = async (name: string, length: number) => {
  try {
    return await store.put(`user/${name}.png`, new Uint8Array(length));
  } catch (error) {
    return error instanceof CoreError ? error.code : String(error);
  }
};

const results = [await put('one', 1_000), await put('two', 4_000_000), await put('three', 1_000)];
process.send?.({ results, log: log.lines.map(({ event, fields }) => [event, fields.reason]) });
