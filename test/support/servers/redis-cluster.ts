import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { redisAddress } from '../../../adapters/redis/redis-url.ts';
import { freePort } from '../free-port.ts';
import { until } from '../until.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

/** A server of the cluster considers another server down after this time without an answer. */
const NODE_TIMEOUT_MS = 1_500;

/** Three primaries, and three replicas or none. */
export interface RedisCluster {
  /** The value of `REDIS_URL`. */
  readonly url: string;
  /** The address for the adapters. */
  readonly address: string;
  readonly primaries: readonly RedisServer[];
  /** The primary that owns the slot, according to a running server. */
  ownerOf(slot: number): Promise<RedisServer>;
  /** Whether the server owns the slot. In the middle of a failover no server may own it. */
  isOwner(slot: number, server: RedisServer): Promise<boolean>;
  /** The replica of a primary. */
  replicaOf(primary: RedisServer): Promise<RedisServer>;
  /** Starts another primary, which has no slots. */
  addPrimary(): Promise<RedisServer>;
  /** Moves a slot with its keys in the steps of an operator, and calls `between` before each step and after the last. */
  moveSlot(slot: number, to: RedisServer, between: () => Promise<void>): Promise<void>;
  end(): Promise<void>;
}

const startNode = async (options: readonly string[]): Promise<RedisServer> =>
  startRedis(
    ...['--cluster-enabled', 'yes', '--cluster-node-timeout', String(NODE_TIMEOUT_MS)],
    // The default, 10,000 above the other port, may exceed the range of ports.
    ...['--cluster-port', String(await freePort())],
    // A replica may take over no matter how long its primary has been down.
    ...['--cluster-replica-validity-factor', '0', '--repl-diskless-sync-delay', '0'],
    ...options,
  );

/** The text of a bulk string reply. */
const textIn = (reply: string): string => {
  if (!reply.startsWith('$')) throw new Error(reply);
  return reply.slice(reply.indexOf('\r\n') + 2);
};

const portIn = (line: readonly string[] | undefined): number => Number(/:(\d+)@/.exec(line?.[1] ?? '')?.[1]);

export const startRedisCluster = async ({
  replicas = 3,
  options = [],
}: {
  readonly replicas?: 0 | 3;
  readonly options?: readonly string[];
} = {}): Promise<RedisCluster> => {
  const servers: RedisServer[] = [];
  for (let count = 0; count < 3 + replicas; count += 1) servers.push(await startNode(options));
  const primaries = servers.slice(0, 3);
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);

  /** The words of each line of `CLUSTER NODES`, from the server that answers first. */
  const nodes = async (): Promise<readonly (readonly string[])[]> => {
    const replies = servers.map(async ({ command }) => textIn(await command('CLUSTER NODES')));
    return (await Promise.any(replies)).split(/\r?\n/).map((line) => line.split(' '));
  };
  const serverIn = (line: readonly string[] | undefined): RedisServer => {
    const server = servers.find(({ port }) => port === portIn(line));
    if (server === undefined) throw new Error(`The cluster names an unknown server: ${line}`);
    return server;
  };
  const idOf = async ({ command }: RedisServer) => textIn(await command('CLUSTER MYID')).trim();
  const lineOfOwner = async (slot: number) =>
    (await nodes()).find((line) =>
      line.slice(8).some((range) => {
        const [from = -1, to = from] = range.split('-').map(Number);
        return from <= slot && slot <= to;
      }),
    );
  const ownerOf = async (slot: number): Promise<RedisServer> => serverIn(await lineOfOwner(slot));
  const isOwner = async (slot: number, { port }: RedisServer): Promise<boolean> =>
    portIn(await lineOfOwner(slot)) === port;
  const run = async ({ command }: RedisServer, line: string): Promise<void> => {
    const reply = await command(line);
    if (!/^\+(?:OK|NOKEY)/.test(reply)) throw new Error(`${line}: ${reply}`);
  };
  const isReady = async ({ command }: RedisServer): Promise<boolean> =>
    (await command('CLUSTER INFO')).includes('cluster_state:ok') &&
    /role:master|master_link_status:up/.test(await command('INFO replication')) &&
    // A primary that does not know its replica yet ignores the replica's request to take over.
    [...(await command('CLUSTER NODES')).matchAll(/\bslave [0-9a-f]{40} /g)].length === replicas;

  await promisify(execFile)('redis-cli', [
    ...['--cluster', 'create', ...addresses, '--cluster-replicas', String(replicas / 3), '--cluster-yes'],
  ]);
  await until(async () => (await Promise.all(servers.map(isReady))).every((ready) => ready));

  const url = `redis://${addresses.slice(0, 3).join(',')}`;
  return {
    url,
    address: redisAddress(url, 'REDIS_URL', false),
    primaries,
    ownerOf,
    isOwner,
    // After a failover the former primary becomes a replica, which the other servers learn later.
    replicaOf: async (primary) => {
      const id = await idOf(primary);
      let line: readonly string[] | undefined;
      await until(async () => {
        line = (await nodes()).find(([, , , primaryId]) => primaryId === id);
        return line !== undefined;
      });
      return serverIn(line);
    },
    addPrimary: async () => {
      const added = await startNode(options);
      servers.push(added);
      const bus = /@(\d+)/.exec(await added.command('CLUSTER NODES'))?.[1];
      for (const primary of primaries) await run(primary, `CLUSTER MEET 127.0.0.1 ${added.port} ${bus}`);
      const id = await idOf(added);
      for (const { command } of [...primaries, added]) {
        await until(async () =>
          new RegExp(`^${id} .*connected`, 'm').test(textIn(await command('CLUSTER NODES'))),
        );
      }
      await until(() => isReady(added));
      return added;
    },
    moveSlot: async (slot, to, between) => {
      const from = await ownerOf(slot);
      const [fromId, toId] = [await idOf(from), await idOf(to)];
      await between();
      await run(to, `CLUSTER SETSLOT ${slot} IMPORTING ${fromId}`);
      await between();
      await run(from, `CLUSTER SETSLOT ${slot} MIGRATING ${toId}`);
      await between();
      for (;;) {
        const keys = (await from.command(`CLUSTER GETKEYSINSLOT ${slot} 2`)).match(/^gatehouse\S+/gm) ?? [];
        if (keys.length === 0) break;
        for (const key of keys) await run(from, `MIGRATE 127.0.0.1 ${to.port} ${key} 0 5000`);
        await between();
      }
      await run(to, `CLUSTER SETSLOT ${slot} NODE ${toId}`);
      await between();
      await run(from, `CLUSTER SETSLOT ${slot} NODE ${toId}`);
      await between();
    },
    end: async () => {
      await Promise.all(servers.map((server) => server.end()));
    },
  };
};
