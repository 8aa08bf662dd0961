/**
 * A program: imports records of the same size for some users into the store of a folder. Answers with ids of each user's
 * records.
 */

import { compose } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { unawaited } from '../../support/unawaited.ts';
import { ENTRY_BYTES, type SeedAnswer, type SeedJob, type SeedUser } from '../file-ground.ts';
import { SETTINGS } from '../server.ts';

const MOST_IDS = 1_000;
const FIRST_DAY = Date.UTC(2026, 0, 1);

const FIXED = { size: 1_048_576, mimeType: 'application/octet-stream', dekEnc: 'd'.repeat(120), thumb: true };

/** The name fills an entry up to its size. */
const NAME = 'n'.repeat(
  ENTRY_BYTES -
    JSON.stringify({
      id: '00000000-0000-7000-8000-000000000000',
      filenameEnc: '',
      size: FIXED.size,
      mimeType: FIXED.mimeType,
      dekEnc: FIXED.dekEnc,
      thumbs: { mobile: true, web: true, webPre: true },
      uploadedDate: new Date(FIRST_DAY).toISOString(),
    }).length,
);

const hexOf = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

/** An id in the format of new records, with counters in place of the random part. */
const idOf = (time: number, user: number, index: number): string => {
  const at = hexOf(time, 12);
  return `${at.slice(0, 8)}-${at.slice(8)}-7000-8${hexOf(user, 3)}-${hexOf(index, 12)}`;
};

process.once(
  'message',
  unawaited(async ({ folder, users }: SeedJob) => {
    const ids = users.map((): string[] => []);

    async function* linesOf({ user, count }: SeedUser, number: number): AsyncGenerator<string> {
      const step = Math.ceil(count / MOST_IDS);
      for (let index = 0; index < count; index += 1) {
        const time = FIRST_DAY + index;
        const id = idOf(time, number, index);
        if (index % step === 0) ids[number]?.push(id);
        const uploadedDate = new Date(time).toISOString();
        yield JSON.stringify({ ...FIXED, id, filenameEnc: NAME, user, uploadedDate });
      }
    }

    const composition = await compose(
      readConfig({ ...SETTINGS, LOG_LEVEL: 'silent', DATA_DIR: folder }, folder),
    );
    for (const [number, user] of users.entries()) {
      const counts = await composition.files.operate.importFiles(linesOf(user, number), {
        dryRun: false,
        onBad: (_, problem) => {
          throw new Error(problem);
        },
        onProgress: () => undefined,
      });
      if (counts.added !== user.count)
        throw new Error(`Only ${counts.added} of ${user.count} records were imported.`);
    }
    await composition.close();
    process.send?.({ ids } satisfies SeedAnswer);
  }),
);
