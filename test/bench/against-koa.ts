import { askOnce } from './connection.ts';
import { withBareKoa } from './ground.ts';
import { type Measure, takeTurns } from './measure.ts';
import type { Client } from './request.ts';
import { medianOf } from './statistics.ts';
import { atLeast, type Row } from './verdict.ts';
import { hammer, hammerAll } from './wrk.ts';

const WARM_UP_SECONDS = 2;

/** Measures requests to a server over 64 connections, against a bare Koa route that answers with as many bytes. */
export const againstKoa = async (
  measure: Measure,
  options: {
    readonly port: number;
    readonly clients: readonly Client[];
    readonly row: string;
    readonly goal: number;
  },
): Promise<Row> => {
  const { port, clients, row, goal } = options;
  const { say, seconds } = measure;
  const [first] = clients;
  if (first === undefined) throw new Error('There is no request to measure.');
  // `hammerAll` sends no tokens.
  const ask = (at: number, duration: number) =>
    clients.length === 1 ? hammer(at, first, duration) : hammerAll(at, clients, duration);
  const { length } = await askOnce(port, first);
  return withBareKoa(length, async (koaPort) => {
    say(`${row}: warming up`);
    await ask(port, WARM_UP_SECONDS);
    await ask(koaPort, WARM_UP_SECONDS);
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
