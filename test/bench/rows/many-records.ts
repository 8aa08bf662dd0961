import { listRecords, post, readRecord, seed, withMetadata } from '../file-ground.ts';
import { inFolder } from '../folder.ts';
import { longAsker } from '../long-answer.ts';
import type { Measure } from '../measure.ts';
import { median } from '../statistics.ts';
import { atMostTimes, type Row } from '../verdict.ts';

const COUNTS = [1_000, 10_000, 100_000] as const;
const ROUNDS = 3;
/** The number of records of a round, the same for each size. */
const RECORDS = 100_000;
const READS = 500;

/** Microseconds of each round, by size. */
type Costs = readonly number[][];

const noCosts = (): Costs => COUNTS.map(() => []);

/** The costliest size against the cheapest, by their best rounds, because other load only adds time. */
const rowOf = (row: string, costs: Costs): Row => {
  const best = costs.map((rounds) => Math.min(...rounds));
  return atMostTimes(1.5, {
    row,
    unit: 'us',
    product: Math.max(...best),
    reference: Math.min(...best),
    against: 'the cheapest',
    note: COUNTS.map((count, index) => `${best[index]?.toFixed(1)} us of ${count}`).join(', '),
  });
};

const userOf = (count: number) => `of-${count}`;

/** The time of a record in a list, in a sync and alone, by the number of its user's records. */
export const manyRecords = ({ say }: Measure): Promise<readonly Row[]> =>
  inFolder(async (folder) => {
    say('many records: importing');
    const users = COUNTS.map((count) => ({ user: userOf(count), count }));
    const { ids } = await seed({ folder, users });
    return withMetadata(folder, {}, async ({ port }) => {
      const { ask, close } = longAsker(port);
      const perRecord = async (count: number, work: (user: string) => Promise<number>): Promise<number> => {
        const times: number[] = [];
        for (let done = 0; done < RECORDS; done += count) times.push(await work(userOf(count)));
        return (median(times) * 1_000) / count;
      };
      const list = (user: string) => ask(listRecords(user));
      const sync = async (user: string) => {
        await ask(post('/api/v1/e/meta/invalidate', { user, type: 'OUT' }));
        return ask(post('/api/v1/e/meta/sync', { user, type: 'allOne' }));
      };
      const read = async (recordIds: readonly string[]): Promise<number> => {
        const times: number[] = [];
        while (times.length < READS)
          times.push(await ask(readRecord(recordIds[times.length % recordIds.length] ?? '')));
        return median(times) * 1_000;
      };

      const [lists, syncs, reads] = [noCosts(), noCosts(), noCosts()];
      for (let round = 0; round <= ROUNDS; round += 1) {
        say(round === 0 ? 'many records: warming up' : `many records: round ${round} of ${ROUNDS}`);
        for (const [index, count] of COUNTS.entries()) {
          const costs = [
            await perRecord(count, list),
            await perRecord(count, sync),
            await read(ids[index] ?? []),
          ];
          for (const [kind, cost] of costs.entries())
            if (round > 0) [lists, syncs, reads][kind]?.[index]?.push(cost);
        }
      }
      close();
      return [
        rowOf('list, each of 1,000 to 100,000 records', lists),
        rowOf('sync, the same', syncs),
        rowOf('single read, the same', reads),
      ];
    });
  });
