import { makeRandom } from '../../../adapters/crypto/random.ts';
import { makeKeyRing } from '../../../adapters/kms/key-ring.ts';
import { makeLocalKms } from '../../../adapters/kms/local.ts';
import { storedFile } from '../../../core/files/file-record.ts';
import { makeNewId } from '../../../core/ids.ts';
import { openStorePorts } from '../../support/store-ports.ts';
import { SAMPLE } from './client.ts';

const FIRST_UPLOAD = Date.parse('2026-01-01T00:00:00.000Z');
const BATCH_SIZE = 1_000;

/** Writes records of a user directly into the store of a running service; returns the ids. `at` is in milliseconds. */
export const seedFiles = async (
  folder: string,
  user: string,
  count: number,
  at: (place: number) => number = (place) => place,
): Promise<readonly string[]> => {
  const store = openStorePorts(folder);
  const ring = makeKeyRing(0);
  const kms = makeLocalKms({ current: () => ring, refresh: async () => undefined });
  const ids: string[] = [];
  const recordAt = (place: number) => {
    const uploadedAt = FIRST_UPLOAD + at(place);
    const id = makeNewId({ now: () => uploadedAt }, makeRandom())();
    ids.push(id);
    return storedFile({ ...SAMPLE, user, id, uploadedAt }, kms);
  };
  for (let from = 0; from < count; from += BATCH_SIZE) {
    const length = Math.min(BATCH_SIZE, count - from);
    await store.putFiles(Array.from({ length }, (_, place) => recordAt(from + place)));
  }
  await store.close();
  return ids;
};
