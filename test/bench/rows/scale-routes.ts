import { setTimeout as pause } from 'node:timers/promises';
import type { Reply } from '../connection.ts';
import type { Measure } from '../measure.ts';
import { lineOf } from '../print.ts';
import { medianOf, quantile } from '../statistics.ts';
import { atMostTimes, type Row } from '../verdict.ts';
import { type Asked, type MeasuredRequest, REQUESTS, type ScaleGround } from './scale-requests.ts';

/** Rounds to one of other rows: each is short. */
const TIMES = 3;
/** Requests of a round, one after another. */
const EACH = 12;
/** What a great store may take of what a small one takes. */
export const GOAL = 1.3;
/** The share of the rounds that count as quiet. */
const QUIET = 0.25;
/** Users or rows that a search of the console goes over at most. */
const SEARCHED = 5_000;
/** Milliseconds after which PostgreSQL has told what it read, once something more is read. */
const TOLD = 1_050;

/** One request, of a round: microseconds, of which so many of processor time. */
interface Cost {
  readonly took: number;
  readonly cpu: number;
  readonly calls: number;
  readonly examined: number;
  readonly bytes: number;
}

const check = (row: string, { status, body }: Reply): void => {
  if (status >= 400) throw new Error(`${row} was answered ${status}: ${body.slice(0, 200)}`);
};

const makeMeasured = (ground: ScaleGround, { row, service, prepare }: MeasuredRequest) => {
  let place = 0;
  const prepared = async (count: number): Promise<readonly Asked[]> => {
    const all: Asked[] = [];
    while (all.length < count) all.push(await prepare(ground, place++));
    return all;
  };
  const send = async (all: readonly Asked[]): Promise<number> => {
    let bytes = 0;
    for (const { client, take } of all) {
      const reply = await ground.ask(service, client);
      check(row, reply);
      bytes += reply.body.length;
      take?.(reply);
    }
    return bytes;
  };

  const round = async (count: number): Promise<Cost> => {
    const all = await prepared(count);
    const before = await ground.server.taken();
    const began = performance.now();
    const bytes = await send(all);
    const took = performance.now() - began;
    const after = await ground.server.taken();
    const of = (value: number) => value / count;
    return {
      took: of(took * 1_000),
      cpu: of(after.cpuAsked - before.cpuAnswered),
      calls: of(after.calls - before.calls),
      examined: of((after.examined ?? Number.NaN) - (before.examined ?? Number.NaN)),
      bytes: of(bytes),
    };
  };

  /** Rows that a request reads, where the store tells of them a second later. */
  const examinedLater = async (): Promise<number> => {
    await send(await prepared(1));
    await pause(TOLD);
    await send(await prepared(1));
    const before = await ground.server.taken();
    await send(await prepared(EACH));
    await pause(TOLD);
    await send(await prepared(1));
    const after = await ground.server.taken();
    return ((after.examined ?? Number.NaN) - (before.examined ?? Number.NaN)) / (EACH + 1);
  };

  return { round, examinedLater };
};

const shown = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)));

/** How the great one differs from the small one, beside the time. */
const noteOf = (small: readonly Cost[], great: readonly Cost[], cpu: number, what: string): string => {
  const pair = (pick: (cost: Cost) => number) =>
    `${shown(medianOf(small, pick))} to ${shown(medianOf(great, pick))}`;
  return [
    `CPU ${pair((cost) => cost.cpu)} us (${cpu.toFixed(2)})`,
    `${pair(({ calls }) => calls)} calls`,
    `${pair(({ examined }) => examined)} ${what}`,
  ].join(', ');
};

const measureRequest = async (
  small: ScaleGround,
  great: ScaleGround,
  request: MeasuredRequest,
  { what, later, rounds }: { readonly what: string; readonly later: boolean; readonly rounds: number },
): Promise<Row> => {
  const [ofSmall, ofGreat] = [makeMeasured(small, request), makeMeasured(great, request)];
  await ofSmall.round(EACH);
  await ofGreat.round(EACH);
  let smallCosts: Cost[] = [];
  let greatCosts: Cost[] = [];
  for (let round = 0; round < rounds * TIMES; round += 1) {
    smallCosts.push(await ofSmall.round(EACH));
    greatCosts.push(await ofGreat.round(EACH));
  }
  if (later) {
    const [inSmall, inGreat] = [await ofSmall.examinedLater(), await ofGreat.examinedLater()];
    smallCosts = smallCosts.map((cost) => ({ ...cost, examined: inSmall }));
    greatCosts = greatCosts.map((cost) => ({ ...cost, examined: inGreat }));
  }
  // Of the quieter rounds: what else goes on only ever adds.
  const ratioOf = (pick: (cost: Cost) => number) =>
    quantile(greatCosts.map(pick), QUIET) / quantile(smallCosts.map(pick), QUIET);
  const cpu = ratioOf((cost) => cost.cpu);
  const more = medianOf(greatCosts, ({ bytes }) => bytes) / medianOf(smallCosts, ({ bytes }) => bytes);
  // A list that has more to tell takes longer to tell it.
  const searched = request.searches === true ? SEARCHED / small.users : 1;
  const most = GOAL * Math.max(1, more > GOAL ? more : 1, Math.min(searched, great.users / small.users));
  const row = atMostTimes(most, {
    row: request.row,
    unit: 'us',
    product: quantile(
      greatCosts.map(({ took }) => took),
      QUIET,
    ),
    reference: quantile(
      smallCosts.map(({ took }) => took),
      QUIET,
    ),
    against: `${small.users} users`,
    ratio: ratioOf(({ took }) => took),
    note: noteOf(smallCosts, greatCosts, cpu, what),
  });
  return most > GOAL ? { ...row, goal: `more data: <= ${most.toFixed(1)} x` } : row;
};

/** What each route and page takes over a great store, against a small one. */
export const routesOf = async (
  small: ScaleGround,
  great: ScaleGround,
  kind: string,
  { say, rounds }: Measure,
): Promise<readonly Row[]> => {
  const later = kind === 'PostgreSQL';
  const what = later ? 'rows' : 'steps';
  const rows: Row[] = [];
  for (const request of REQUESTS) {
    say(`scale: ${kind}, ${great.users} users: ${request.row}`);
    try {
      const row = await measureRequest(small, great, request, { what, later, rounds });
      say(lineOf(row));
      rows.push(row);
    } catch (error) {
      say(`${request.row} could not be measured: ${error instanceof Error ? error.message : error}`);
    }
  }
  return rows;
};
