import { askOnce } from './connection.ts';
import { withBareKoa } from './ground.ts';
import { type Measure, takeTurns } from './measure.ts';
import type { Client } from './request.ts';
import { medianOf } from './statistics.ts';
import { atLeast, type Row } from './verdict.ts';
import { hammer, hammerAll } from './wrk.ts';

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
  // Only one alone may have a token.
  const ask = (at: number, duration: number) =>
    clients.length === 1 ? hammer(at, first, duration) : hammerAll(at, clients, duration);
  const { length } = await askOnce(port, first);
  return withBareKoa(length, async (koaPort) => {
    say(`${row}: warming up`);
    await ask(port, WARM_UP);
    await ask(koaPort, WARM_UP);
    const { product, reference } = await takeTurns(
      measure,
      row,
      () => ask(port, seconds),
      () => ask(koaPort, seconds),
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
