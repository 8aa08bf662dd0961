import { setTimeout as pause } from 'node:timers/promises';
import type { Reply } from '../connection.ts';
import type { Measure } from '../measure.ts';
import { lineOf } from '../print.ts';
import { medianOf, quantile } from '../statistics.ts';
import { atMostTimes, type Row } from '../verdict.ts';
import { type MeasuredRequest, type PreparedRequest, REQUESTS, type ScaleGround } from './scale-requests.ts';

/** Multiplies the rounds, because each is short. */
const TIMES = 3;
/** Requests of a round, one after the other. */
const EACH = 12;
/** The highest ratio of times on a large and a small store. */
export const GOAL = 1.3;
/** The share of the rounds that count as quiet. */
const QUIET = 0.25;
/** A search of the console reads at most this many users or rows. */
const SEARCHED = 5_000;
/** PostgreSQL reports its reads at the first read after this time. */
const REPORT_MS = 1_050;

/** Averages of a round for one request; times in microseconds. */
interface Cost {
  readonly took: number;
  readonly cpu: number;
  readonly calls: number;
  readonly examined: number;
  readonly bytes: number;
}

const check = (row: string, { status, body }: Reply): void => {
  if (status >= 400) throw new Error(`${row} was answered with ${status}: ${body.slice(0, 200)}`);
};

const makeRounds = (ground: ScaleGround, { row, service, prepare }: MeasuredRequest) => {
  let place = 0;
  const prepareAll = async (count: number): Promise<readonly PreparedRequest[]> => {
    const all: PreparedRequest[] = [];
    while (all.length < count) all.push(await prepare(ground, place++));
    return all;
  };
  const send = async (all: readonly PreparedRequest[]): Promise<number> => {
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
    const all = await prepareAll(count);
    const before = await ground.server.usage();
    const startedAt = performance.now();
    const bytes = await send(all);
    const took = performance.now() - startedAt;
    const after = await ground.server.usage();
    const of = (value: number) => value / count;
    return {
      took: of(took * 1_000),
      cpu: of(after.cpuAsked - before.cpuAnswered),
      calls: of(after.calls - before.calls),
      examined: of((after.examined ?? Number.NaN) - (before.examined ?? Number.NaN)),
      bytes: of(bytes),
    };
  };

  /** The rows that a request reads, if the store reports them a second later. */
  const examinedLater = async (): Promise<number> => {
    await send(await prepareAll(1));
    await pause(REPORT_MS);
    await send(await prepareAll(1));
    const before = await ground.server.usage();
    await send(await prepareAll(EACH));
    await pause(REPORT_MS);
    await send(await prepareAll(1));
    const after = await ground.server.usage();
    return ((after.examined ?? Number.NaN) - (before.examined ?? Number.NaN)) / (EACH + 1);
  };

  return { round, examinedLater };
};

const format = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)));

/** The differences between the stores, beside the elapsed time. */
const noteOf = (small: readonly Cost[], large: readonly Cost[], cpu: number, unit: string): string => {
  const pair = (pick: (cost: Cost) => number) =>
    `${format(medianOf(small, pick))} to ${format(medianOf(large, pick))}`;
  return [
    `CPU ${pair((cost) => cost.cpu)} us (${cpu.toFixed(2)})`,
    `${pair(({ calls }) => calls)} calls`,
    `${pair(({ examined }) => examined)} ${unit}`,
  ].join(', ');
};

const measureRequest = async (
  small: ScaleGround,
  large: ScaleGround,
  request: MeasuredRequest,
  { unit, later, rounds }: { readonly unit: string; readonly later: boolean; readonly rounds: number },
): Promise<Row> => {
  const [ofSmall, ofLarge] = [makeRounds(small, request), makeRounds(large, request)];
  await ofSmall.round(EACH);
  await ofLarge.round(EACH);
  let smallCosts: Cost[] = [];
  let largeCosts: Cost[] = [];
  for (let round = 0; round < rounds * TIMES; round += 1) {
    smallCosts.push(await ofSmall.round(EACH));
    largeCosts.push(await ofLarge.round(EACH));
  }
  if (later) {
    const [inSmall, inLarge] = [await ofSmall.examinedLater(), await ofLarge.examinedLater()];
    smallCosts = smallCosts.map((cost) => ({ ...cost, examined: inSmall }));
    largeCosts = largeCosts.map((cost) => ({ ...cost, examined: inLarge }));
  }
  // Only the quietest rounds count, because other load only adds time.
  const ratioOf = (pick: (cost: Cost) => number) =>
    quantile(largeCosts.map(pick), QUIET) / quantile(smallCosts.map(pick), QUIET);
  const cpu = ratioOf((cost) => cost.cpu);
  const more = medianOf(largeCosts, ({ bytes }) => bytes) / medianOf(smallCosts, ({ bytes }) => bytes);
  // A longer answer may take longer.
  const searched = request.searches === true ? SEARCHED / small.users : 1;
  const most = GOAL * Math.max(1, more > GOAL ? more : 1, Math.min(searched, large.users / small.users));
  const row = atMostTimes(most, {
    row: request.row,
    unit: 'us',
    product: quantile(
      largeCosts.map(({ took }) => took),
      QUIET,
    ),
    reference: quantile(
      smallCosts.map(({ took }) => took),
      QUIET,
    ),
    against: `${small.users} users`,
    ratio: ratioOf(({ took }) => took),
    note: noteOf(smallCosts, largeCosts, cpu, unit),
  });
  return most > GOAL ? { ...row, goal: `more data: <= ${most.toFixed(1)} x` } : row;
};

/** The time of each route and page on a large store, against a small one. */
export const routesOf = async (
  small: ScaleGround,
  large: ScaleGround,
  kind: string,
  { say, rounds }: Measure,
): Promise<readonly Row[]> => {
  const later = kind === 'PostgreSQL';
  const unit = later ? 'rows' : 'steps';
  const rows: Row[] = [];
  for (const request of REQUESTS) {
    say(`scale: ${kind}, ${large.users} users: ${request.row}`);
    try {
      const row = await measureRequest(small, large, request, { unit, later, rounds });
      say(lineOf(row));
      rows.push(row);
    } catch (error) {
      say(`${request.row} could not be measured: ${error instanceof Error ? error.message : error}`);
    }
  }
  return rows;
};
