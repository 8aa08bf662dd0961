import { askOnce } from './connection.ts';
import { withBareKoa } from './ground.ts';
import { type Measure, takeTurns } from './measure.ts';
import type { Client } from './request.ts';
import { medianOf } from './statistics.ts';
import { atLeast, type Row } from './verdict.ts';
import { hammerAll } from './wrk.ts';

/** Seconds. */
const WARM_UP = 2;

/** What a server is asked for in turn over 64 connections, against a route that does nothing but answer as many bytes. */
export const againstKoa = async (
  measure: Measure,
  given: {
    readonly port: number;
    readonly clients: readonly Client[];
    readonly row: string;
    readonly goal: number;
  },
): Promise<Row> => {
  const { port, clients, row, goal } = given;
  const { say, seconds } = measure;
  const [first] = clients;
  if (first === undefined) throw new Error('There is nothing to ask for.');
  const { length } = await askOnce(port, first);
  return withBareKoa(length, async (koaPort) => {
    say(`${row}: warming up`);
    await hammerAll(port, clients, WARM_UP);
    await hammerAll(koaPort, clients, WARM_UP);
    const { product, reference } = await takeTurns(
      measure,
      row,
      () => hammerAll(port, clients, seconds),
      () => hammerAll(koaPort, clients, seconds),
    );
    return atLeast(goal, {
      row,
      unit: '/s',
      product: medianOf(product, ({ perSecond }) => perSecond),
      reference: medianOf(reference, ({ perSecond }) => perSecond),
      against: 'a bare Koa route',
    });
  });
};
