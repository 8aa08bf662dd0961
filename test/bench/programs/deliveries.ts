/**
 * A program: signed deliveries begin at an even rate, whether or not those before them were answered. The time of each
 * counts from when it was due, so that a server that falls behind does not hide it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { signDelivery } from '../../../adapters/signed-deliveries/signature.ts';
import { unawaited } from '../../support/unawaited.ts';
import { openConnection } from '../connection.ts';
import type { DeliveriesAnswer, DeliveriesJob } from '../rows/deliveries.ts';
import { quantile } from '../statistics.ts';

/** A delivery that finds none free waits, and its time counts. */
const CONNECTIONS = 128;

const requestOf = (secret: string, id: string, body: string): string =>
  [
    'POST /api/webhooks/drop HTTP/1.1',
    'Host: 127.0.0.1',
    ...Object.entries(signDelivery(secret, { id, body }, Date.now())).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');

process.once(
  'message',
  unawaited(async ({ port, secret, perSecond, seconds, bodies }: DeliveriesJob) => {
    const latencies: number[] = [];
    const count = Math.round(perSecond * seconds);
    const began = performance.now();
    let [next, taken, lastAt] = [0, 0, began];

    const work = async (): Promise<void> => {
      const connection = openConnection(port);
      for (let place = next++; place < count; place = next++) {
        const dueAt = began + (place / perSecond) * 1_000;
        if (dueAt > performance.now()) await pause(dueAt - performance.now());
        const { status } = await connection.ask(
          requestOf(secret, `evt_${place}`, bodies[place % bodies.length] ?? ''),
        );
        lastAt = performance.now();
        latencies.push(lastAt - dueAt);
        if (status === 200) taken += 1;
      }
      connection.close();
    };

    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    process.send?.({
      sent: count,
      taken,
      p99: quantile(latencies, 0.99),
      perSecond: taken / ((lastAt - began) / 1_000),
    } satisfies DeliveriesAnswer);
  }),
);
