/** A program: calls the limiter, and its script over a bare client, in turns. Answers with the rates. */
import { createClient } from 'redis';
import { makeLog } from '../../../adapters/log/log.ts';
import { openRedisLimiter, TAKE } from '../../../adapters/redis/limiter.ts';
import { makeMemoryLimiter } from '../../../adapters/sqlite/limits/memory-limiter.ts';
import { unawaited } from '../../support/unawaited.ts';
import type { LimitsAnswer, LimitsJob } from '../limits.ts';
import { median } from '../statistics.ts';

const WINDOW = 60;
const BUCKET = { name: 'client:login', limit: 1_000_000_000, seconds: WINDOW };
/** The keys of different clients. */
const KEYS = Array.from({ length: 1_000 }, (_, index) => `client ${index}`.padEnd(43, '-'));
const ALONE = 500;

type Call = (key: string) => Promise<unknown>;

const keyOf = (index: number) => KEYS[index % KEYS.length] ?? '';

/** Calls a second by `inFlight` concurrent callers. */
const rateOf = async (seconds: number, inFlight: number, call: Call): Promise<number> => {
  const startedAt = performance.now();
  let count = 0;
  const caller = async () => {
    while (performance.now() - startedAt < seconds * 1_000) {
      await call(keyOf(count));
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return count / ((performance.now() - startedAt) / 1_000);
};

/** Median microseconds of calls one after the other. */
const alone = async (call: Call): Promise<number> => {
  const times: number[] = [];
  for (let index = 0; index < ALONE; index += 1) {
    const startedAt = performance.now();
    await call(keyOf(index));
    times.push((performance.now() - startedAt) * 1_000);
  }
  return median(times);
};

process.once(
  'message',
  unawaited(async ({ url, seconds, rounds, inFlight }: LimitsJob) => {
    const client = createClient({ url, RESP: 2 });
    await client.connect();
    const fallback = makeMemoryLimiter({ now: () => Date.now() });
    const limiter = openRedisLimiter({ url, log: makeLog('silent'), fallback });
    await limiter.tried;

    let taken = 0;
    const take: Call = (key) => {
      taken += 1;
      return limiter.take(BUCKET, key);
    };
    const script: Call = (key) =>
      client.sendCommand(['EVALSHA', TAKE.digest, '1', key, '', String(WINDOW * 1_000)]);
    /** The number of script calls according to Redis. */
    const scriptCalls = async () =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0);
    /** Script calls for each call of the limiter during the work. */
    const tripsOf = async (work: () => Promise<unknown>): Promise<number> => {
      const [before, takenBefore] = [await scriptCalls(), taken];
      await work();
      return ((await scriptCalls()) - before) / (taken - takenBefore);
    };

    await client.sendCommand(['SCRIPT', 'LOAD', TAKE.source]);
    await rateOf(1, inFlight, take);
    await rateOf(1, inFlight, script);
    const tripsAlone = await tripsOf(() => alone(take));
    const trips = await tripsOf(() => rateOf(seconds / 2, inFlight, take));
    const rates = { taken: [], scripted: [], takenAlone: [], scriptedAlone: [] };
    const answer: LimitsAnswer = { ...rates, tripsAlone, trips };
    for (let round = 0; round < rounds; round += 1) {
      answer.taken.push(await rateOf(seconds, inFlight, take));
      answer.scripted.push(await rateOf(seconds, inFlight, script));
      answer.takenAlone.push(await alone(take));
      answer.scriptedAlone.push(await alone(script));
    }
    await limiter.close();
    client.destroy();
    process.send?.(answer);
  }),
);
