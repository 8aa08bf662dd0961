import { openSqliteFileCache } from '../../../../adapters/sqlite/cache/file-cache.ts';
import { EPOCH, entry } from '../../../contracts/file-cache.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';

/** A separate process on a shared cache: `cache-child.js FOLDER`. It writes the same entries repeatedly. */
const [folder = ''] = process.argv.slice(2);
const clock = { now: () => Date.now() };
const cache = openSqliteFileCache({ folder, clock, log: makeRecordingLog() });
const ids = Array.from({ length: 50 }, (_, place) => `${place}`);

const putAll = async () => {
  await cache.load(
    ids.map((id) => entry(id)),
    EPOCH,
    60,
  );
  await Promise.all(ids.map((id) => cache.fill(entry(id), EPOCH, 60)));
};

await putAll();
process.send?.('there');
for (;;) await putAll();
