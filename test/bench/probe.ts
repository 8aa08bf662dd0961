import { setTimeout as pause } from 'node:timers/promises';
import { openConnection } from './connection.ts';
import { type Client, requestOf } from './request.ts';
import { quantile } from './statistics.ts';

const INTERVAL_MS = 5;

/** Repeats a request every few milliseconds during the work. `longest` and `p99` are waits in milliseconds. */
export const probe = async <T>(
  port: number,
  client: Client,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly longest: number; readonly p99: number }> => {
  const connection = openConnection(port);
  const request = requestOf(client);
  const waits: number[] = [];
  let isDone = false;
  const probing = (async () => {
    while (!isDone) {
      const startedAt = performance.now();
      const { status } = await connection.ask(request);
      waits.push(performance.now() - startedAt);
      if (status !== 200) throw new Error(`A probe was answered with ${status}.`);
      await pause(INTERVAL_MS);
    }
  })();
  try {
    const result = await work();
    isDone = true;
    await probing;
    return { result, longest: quantile(waits, 1), p99: quantile(waits, 0.99) };
  } finally {
    isDone = true;
    await probing.catch(() => undefined);
    connection.close();
  }
};
