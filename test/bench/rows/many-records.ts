import { listRecords, post, readRecord, seed, withMetadata } from '../file-ground.ts';
import { inFolder } from '../folder.ts';
import { longAsker } from '../long-answer.ts';
import type { Measure } from '../measure.ts';
import { median } from '../statistics.ts';
import { atMostTimes, type Row } from '../verdict.ts';

const COUNTS = [1_000, 10_000, 100_000] as const;
/** Records that are gone over at each size, so that a small one is measured for as long as a great one. */
const RECORDS = 200_000;
const READS = 2_000;

interface Sized {
  readonly count: number;
  /** Microseconds. */
  readonly took: number;
}

/** The dearest against the cheapest. */
const rowOf = (row: string, sizes: readonly Sized[]): Row => {
  const took = sizes.map((one) => one.took);
  return atMostTimes(1.5, {
    row,
    unit: 'us',
    product: Math.max(...took),
    reference: Math.min(...took),
    against: 'the cheapest',
    note: sizes.map((one) => `${one.took.toFixed(1)} us of ${one.count}`).join(', '),
  });
};

const userOf = (count: number) => `of-${count}`;

/** What a record costs in a list and a sync, and by itself, however many its user has. */
export const manyRecords = ({ say }: Measure): Promise<readonly Row[]> =>
  inFolder(async (folder) => {
    say('many records: importing');
    const users = COUNTS.map((count) => ({ user: userOf(count), count }));
    const { ids } = await seed({ folder, users });
    return withMetadata(folder, {}, async ({ port }) => {
      const { ask, close } = longAsker(port);
      const perRecord = async (count: number, work: (user: string) => Promise<number>): Promise<Sized> => {
        const took: number[] = [];
        for (let done = 0; done < RECORDS; done += count) took.push(await work(userOf(count)));
        return { count, took: (median(took) * 1_000) / count };
      };
      const list = (user: string) => ask(listRecords(user));
      const sync = async (user: string) => {
        await ask(post('/api/v1/e/meta/invalidate', { user, type: 'OUT' }));
        return ask(post('/api/v1/e/meta/sync', { user, type: 'allOne' }));
      };
      const read = async (place: number, count: number): Promise<Sized> => {
        const took: number[] = [];
        const known = ids[place] ?? [];
        for (let one = 0; one < READS; one += 1)
          took.push(await ask(readRecord(known[one % known.length] ?? '')));
        return { count, took: median(took) * 1_000 };
      };

      const [lists, syncs, reads]: [Sized[], Sized[], Sized[]] = [[], [], []];
      await list(userOf(1_000));
      for (const [place, count] of COUNTS.entries()) {
        say(`many records: ${count}`);
        await list(userOf(count));
        lists.push(await perRecord(count, list));
        await sync(userOf(count));
        syncs.push(await perRecord(count, sync));
        reads.push(await read(place, count));
      }
      close();
      return [
        rowOf('list, each of 1,000 to 100,000 records', lists),
        rowOf('sync, the same', syncs),
        rowOf('single read, the same', reads),
      ];
    });
  });
