/**
 * A program: signed deliveries begin at an even rate, whether or not those before them were answered. The time of each
 * counts from when it was due, so that a server that falls behind does not hide it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { signDelivery } from '../../../adapters/webhooks/signature.ts';
import { type Connection, openConnection } from '../connection.ts';
import type { DeliveriesAnswer, DeliveriesJob } from '../rows/deliveries.ts';
import { quantile } from '../statistics.ts';

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

process.once('message', async ({ port, secret, perSecond, seconds, bodies }: DeliveriesJob) => {
  const idle: Connection[] = [];
  const latencies: number[] = [];
  const count = Math.round(perSecond * seconds);
  let taken = 0;
  const began = performance.now();
  let lastAt = began;

  const deliver = async (place: number, dueAt: number): Promise<void> => {
    const connection = idle.pop() ?? openConnection(port);
    const body = bodies[place % bodies.length] ?? '';
    const { status } = await connection.ask(requestOf(secret, `evt_${place}`, body));
    lastAt = performance.now();
    latencies.push(lastAt - dueAt);
    if (status === 200) taken += 1;
    idle.push(connection);
  };

  const all: Promise<void>[] = [];
  while (all.length < count) {
    const now = performance.now();
    for (let place = all.length; place < count; place += 1) {
      const dueAt = began + (place / perSecond) * 1_000;
      if (dueAt > now) break;
      all.push(deliver(place, dueAt));
    }
    await pause(1);
  }
  await Promise.all(all);
  for (const connection of idle) connection.close();
  process.send?.({
    sent: count,
    taken,
    p99: quantile(latencies, 0.99),
    perSecond: taken / ((lastAt - began) / 1_000),
  } satisfies DeliveriesAnswer);
});
