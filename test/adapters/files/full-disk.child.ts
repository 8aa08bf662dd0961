import { makeFileObjects } from '../../../adapters/files/object-store.ts';
import { CoreError } from '../../../core/errors.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

// Started where no file may grow to a megabyte: stores small, large, small, and tells how each ended.
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

const ends = [await put('one', 1_000), await put('two', 4_000_000), await put('three', 1_000)];
process.send?.({ ends, log: log.lines.map(({ event, fields }) => [event, fields.reason]) });
