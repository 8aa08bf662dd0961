/**
 * A program: clients send requests to a server, each as soon as it has its last answer, for some seconds. With `rotates`
 * each sends the refresh token of an answer with its next request.
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
    const startedAt = performance.now();
    const cpu = process.cpuUsage();
    const endsAt = startedAt + seconds * 1_000;
    let lastAt = startedAt;

    const askOnce = async (connection: Connection, client: Client): Promise<Client> => {
      const sentAt = performance.now();
      const { status, body } = await connection.ask(requestOf(client));
      const now = performance.now();
      if (status !== 200) others += 1;
      else if (now <= endsAt) {
        latencies.push(now - sentAt);
        lastAt = now;
      }
      const rotated = rotates ? ROTATED.exec(body)?.[1] : undefined;
      return rotated === undefined ? client : { ...client, body: JSON.stringify({ refreshToken: rotated }) };
    };

    const work = async (firstRequest: Client): Promise<Client> => {
      const connection = openConnection(port);
      let client = firstRequest;
      while (performance.now() < endsAt) client = await askOnce(connection, client);
      connection.close();
      return client;
    };

    const nextRequests = await Promise.all(clients.map(work));
    const { user, system } = process.cpuUsage(cpu);
    process.send?.({
      perSecond: latencies.length / ((lastAt - startedAt) / 1_000),
      p99: quantile(latencies, 0.99),
      others,
      ownCores: (user + system) / 1_000 / (performance.now() - startedAt),
      clients: nextRequests,
    } satisfies LoadAnswer);
  }),
);
