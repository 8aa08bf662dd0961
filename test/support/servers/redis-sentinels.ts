import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { until } from '../until.ts';
import { type RedisServer, startRedis, startRedisProgram } from './redis-server.ts';

const NAME = 'main';
/** A sentinel considers a server down after this time without an answer. */
const DOWN_AFTER_MS = 500;

/** A primary, its replica and three sentinels. */
export interface RedisGroup {
  readonly url: string;
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  readonly sentinels: readonly RedisServer[];
  /** The port of the primary, according to the sentinel that answers first. */
  primaryPort(): Promise<number>;
  end(): Promise<void>;
}

const startSentinel = (primaryPort: number): Promise<RedisServer> =>
  startRedisProgram((port, folder) => {
    const file = join(folder, 'sentinel.conf');
    writeFileSync(
      file,
      `port ${port}
bind 127.0.0.1
dir ${folder}
sentinel monitor ${NAME} 127.0.0.1 ${primaryPort} 2
sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}
sentinel failover-timeout ${NAME} 3000
`,
    );
    return [file, '--sentinel'];
  });

export const sentinelUrl = (ports: readonly number[], rest = `/${NAME}`): string =>
  `redis+sentinel://${ports.map((port) => `127.0.0.1:${port}`).join(',')}${rest}`;

/** Starts the five servers on free ports. Resolves once each sentinel knows the others and the replica. */
export const startRedisGroup = async (): Promise<RedisGroup> => {
  const primary = await startRedis('--repl-diskless-sync-delay', '0');
  const replica = await startRedis('--replicaof', '127.0.0.1', String(primary.port));
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(primary.port)));
  await Promise.all(
    sentinels.map((sentinel) =>
      until(async () =>
        /num-slaves\r\n\$1\r\n1\r\n[\s\S]*num-other-sentinels\r\n\$1\r\n2\r\n/.test(
          await sentinel.command(`SENTINEL MASTER ${NAME}`),
        ),
      ),
    ),
  );
  await until(async () => /master_link_status:up/.test(await replica.command('INFO replication')));
  return {
    url: sentinelUrl(sentinels.map(({ port }) => port)),
    primary,
    replica,
    sentinels,
    primaryPort: async () => {
      const replies = sentinels.map((sentinel) =>
        sentinel.command(`SENTINEL get-master-addr-by-name ${NAME}`),
      );
      return Number(/\r\n(\d+)\r\n$/.exec(await Promise.any(replies))?.[1]);
    },
    end: async () => {
      for (const sentinel of sentinels) await sentinel.end();
      await Promise.all([primary.end(), replica.end()]);
    },
  };
};

/** A fake sentinel: the test decides which server it names, and when. */
export interface ScriptedSentinel {
  readonly port: number;
  /** The text of all requests. */
  received(): string;
  /** Names the server with this port from now on; null: knows no server of that name. */
  name(port: number | null): void;
  end(): Promise<void>;
}

export const startScriptedSentinel = async (named: number | null, port = 0): Promise<ScriptedSentinel> => {
  let primaryPort = named;
  let received = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received += String(data);
      for (const command of String(data).match(/AUTH|get-master-addr-by-name/g) ?? []) {
        const digits = String(primaryPort);
        if (command === 'AUTH') socket.write('+OK\r\n');
        else if (primaryPort === null) socket.write('*-1\r\n');
        else socket.write(`*2\r\n$9\r\n127.0.0.1\r\n$${digits.length}\r\n${digits}\r\n`);
      }
    });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    received: () => received,
    name: (next) => {
      primaryPort = next;
    },
    end: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
};
