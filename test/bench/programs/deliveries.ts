/**
 * A program: sends signed deliveries at an even rate, whether or not earlier ones were answered. The time of each counts from
 * when it was due, so that a slow server shows.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { signDelivery } from '../../../adapters/signed-deliveries/signature.ts';
import { unawaited } from '../../support/unawaited.ts';
import { openConnection } from '../connection.ts';
import type { DeliveriesAnswer, DeliveriesJob } from '../rows/deliveries.ts';
import { quantile } from '../statistics.ts';

/** A delivery without a free connection waits, and its wait counts. */
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
    const startedAt = performance.now();
    let [next, taken, lastAt] = [0, 0, startedAt];

    const work = async (): Promise<void> => {
      const connection = openConnection(port);
      for (let index = next++; index < count; index = next++) {
        const dueAt = startedAt + (index / perSecond) * 1_000;
        if (dueAt > performance.now()) await pause(dueAt - performance.now());
        const { status } = await connection.ask(
          requestOf(secret, `evt_${index}`, bodies[index % bodies.length] ?? ''),
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
      perSecond: taken / ((lastAt - startedAt) / 1_000),
    } satisfies DeliveriesAnswer);
  }),
);
