import { setTimeout as pause } from 'node:timers/promises';
import { openConnection } from './connection.ts';
import { type Client, requestOf } from './request.ts';
import { quantile } from './statistics.ts';

/** Milliseconds between two probes. */
const EVERY = 5;

/** Asks for something every few milliseconds while the work is done. `longest` and `p99` are waits, milliseconds. */
export const probe = async <T>(
  port: number,
  client: Client,
  work: () => Promise<T>,
): Promise<{ readonly took: T; readonly longest: number; readonly p99: number }> => {
  const connection = openConnection(port);
  const request = requestOf(client);
  const waits: number[] = [];
  let over = false;
  const asking = (async () => {
    while (!over) {
      const asked = performance.now();
      const { status } = await connection.ask(request);
      waits.push(performance.now() - asked);
      if (status !== 200) throw new Error(`A probe was answered ${status}.`);
      await pause(EVERY);
    }
  })();
  try {
    const took = await work();
    over = true;
    await asking;
    return { took, longest: quantile(waits, 1), p99: quantile(waits, 0.99) };
  } finally {
    over = true;
    await asking.catch(() => undefined);
    connection.close();
  }
};
