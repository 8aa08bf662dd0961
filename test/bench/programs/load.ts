/**
 * A program: so many clients ask one server, each as soon as its last answer is there, for so many seconds. One that
 * rotates sends the refresh token of an answer with its next request.
 */

import { unawaited } from '../../support/unawaited.ts';
import { type Connection, openConnection } from '../connection.ts';
import type { LoadAnswer, LoadJob } from '../load.ts';
import { type Client, requestOf } from '../request.ts';
import { quantile } from '../statistics.ts';

const ROTATED = /"refreshToken":"([^"]+)"/;

process.once(
  'message',
  unawaited(async ({ port, seconds, rotates, clients }: LoadJob) => {
    const latencies: number[] = [];
    let others = 0;
    const began = performance.now();
    const cpu = process.cpuUsage();
    const ends = began + seconds * 1_000;
    let lastAt = began;

    const askOnce = async (connection: Connection, client: Client): Promise<Client> => {
      const asked = performance.now();
      const { status, body } = await connection.ask(requestOf(client));
      const now = performance.now();
      if (status !== 200) others += 1;
      else if (now <= ends) {
        latencies.push(now - asked);
        lastAt = now;
      }
      const rotated = rotates ? ROTATED.exec(body)?.[1] : undefined;
      return rotated === undefined ? client : { ...client, body: JSON.stringify({ refreshToken: rotated }) };
    };

    const work = async (given: Client): Promise<Client> => {
      const connection = openConnection(port);
      let client = given;
      while (performance.now() < ends) client = await askOnce(connection, client);
      connection.close();
      return client;
    };

    const last = await Promise.all(clients.map(work));
    const { user, system } = process.cpuUsage(cpu);
    process.send?.({
      perSecond: latencies.length / ((lastAt - began) / 1_000),
      p99: quantile(latencies, 0.99),
      others,
      ownCores: (user + system) / 1_000 / (performance.now() - began),
      clients: last,
    } satisfies LoadAnswer);
  }),
);
