import { isIPv6 } from 'node:net';
import { type Kind, setting } from '../declare-setting.ts';
import { remoteStoreIn } from '../remote-store.ts';
import {
  baseAddress,
  folder,
  host,
  integer,
  oneOf,
  origin,
  port,
  reads,
  serverAddress,
  zeroOrOne,
} from '../value-kinds.ts';
import * as read from '../value-parsers.ts';

const environment: Kind<boolean> = {
  must: 'development, test or production',
  read: (text) => (/^(?:development|test|production)$/.test(text) ? text === 'production' : undefined),
  show: (production) => (production ? 'production' : 'development'),
};

const redisAddress = serverAddress('redis', 'rediss', 'redis+sentinel', 'rediss+sentinel');

/** Null for port 0: the system chooses the port when the service listens. */
export const ownOrigin = (address: string, ownPort: number): string | null =>
  ownPort === 0 ? null : new URL(`http://${isIPv6(address) ? `[${address}]` : address}:${ownPort}`).origin;

/** Where the services run, and the servers that they use. */
export const running = {
  /** `development`, `test` or `production`. */
  production: setting('NODE_ENV', environment, { default: 'development' }),
  /** The address to listen on. */
  host: setting('HOST', host, { default: '127.0.0.1' }),
  /** Port of the account service. 0 picks a free one; the start prints it. */
  accountsPort: setting('ACCOUNTS_PORT', port, { default: '3000' }),
  /** Port of the metadata service. 0 picks a free one. */
  metadataPort: setting('METADATA_PORT', port, { default: '3001' }),
  /**
   * Address of the metadata service, whose `/health` the [operators' console](console.md) shows. Without it the console
   * shows that service as not asked. Example: `http://metadata:3001`.
   *
   * Null: its health is not queried.
   */
  metadataUrl: setting('METADATA_URL', baseAddress, {
    byDefault: '`http://HOST:METADATA_PORT` outside production on a loopback `HOST`, else none',
    // `texts` always has a valid port here: both fallbacks only satisfy the types.
    orElse: ({ trial, host: address, texts }) =>
      trial ? ownOrigin(address, read.wholeNumber(0, 65_535)(texts.METADATA_PORT ?? '3001') ?? 0) : null,
  }),
  /**
   * Public origin of the account service and `iss` of its access tokens; https in production. When it is not set,
   * `iss` is the origin of the first start, kept in `DATA_DIR/issuer`. All processes on that folder then accept the
   * same tokens. Example: `https://accounts.example.com`.
   *
   * Null when it follows from a port that is not known before the accounts server listens.
   */
  publicUrl: setting('PUBLIC_URL', origin('https://accounts.example.com'), {
    byDefault: '`http://HOST:ACCOUNTS_PORT`',
    orElse: (context) => ownOrigin(context.host, context.accountsPort),
    check: (url, { production }) =>
      production && !url?.startsWith('https:') && 'be an https origin in production',
  }),
  /**
   * Folder for this machine's store, keys, mail and avatars. Only its owner has access (0700, files 0600): a start
   * removes the access of others, or logs `data_dir.open_to_others` if it may not. Any number of processes on one
   * machine can share it. Example: `/var/lib/gatehouse`.
   */
  dataDir: setting('DATA_DIR', folder, { default: './data' }),
  /**
   * MongoDB as the store, with avatars in GridFS; [below](#on-mongodb). Without it and `POSTGRES_URL` the store is SQLite in
   * `DATA_DIR`. Example: `mongodb://user:word@db1.example.com,db2.example.com/gatehouse?replicaSet=rs0&tls=true`.
   *
   * Null: another store.
   */
  mongodbUrl: setting('MONGODB_URL', serverAddress('mongodb', 'mongodb+srv')),
  /**
   * PostgreSQL (15 or newer) as the store, with avatars in rows; [below](#on-postgresql). Not beside `MONGODB_URL`.
   * Example: `postgres://user:word@db1.example.com,db2.example.com/gatehouse?sslmode=verify-full`.
   *
   * Null: another store.
   */
  postgresUrl: setting('POSTGRES_URL', serverAddress('postgres', 'postgresql'), {
    check: (url, { texts }) =>
      url !== null && texts.MONGODB_URL !== undefined && 'not be set beside MONGODB_URL',
  }),
  /**
   * Redis (5 or newer, or a compatible server) caches file records and counts the rate limits, for any
   * number of machines. A number at the end of the path selects the database. Each installation needs its own server or
   * number: the keys are the same in all. Redis holds nothing that must not be lost. Without it, cache and limits are the files
   * `cache.db` and `limits.db` in `DATA_DIR`, shared by the processes of this machine. Example:
   * `rediss://user:word@redis.example.com:6379/0`. With
   * [Sentinel](deploying.md#redis-with-sentinel): `redis+sentinel://user:word@s1:26379,s2:26379,s3:26379/NAME/0`. Several
   * servers are those of a [cluster](deploying.md#redis-cluster): `redis://user:word@r1:6379,r2:6379,r3:6379`.
   *
   * Null: cache and limiter in `dataDir`.
   */
  redisUrl: setting('REDIS_URL', redisAddress, {
    check: (url, { production, texts }) =>
      production &&
      !url &&
      remoteStoreIn(texts) !== undefined &&
      `be set in production beside ${remoteStoreIn(texts)}`,
  }),
  /** 1: `REDIS_URL` and the next two settings name servers of a [cluster](deploying.md#redis-cluster). */
  redisCluster: setting('REDIS_CLUSTER', zeroOrOne, { default: '0' }),
  /**
   * The Redis of the cache in place of `REDIS_URL`, of the same form.
   *
   * Null: that of `redisUrl`.
   */
  redisCacheUrl: setting('REDIS_CACHE_URL', redisAddress),
  /**
   * The Redis of the rate limits in place of `REDIS_URL`, of the same form.
   *
   * Null: that of `redisUrl`.
   */
  redisLimiterUrl: setting('REDIS_LIMITER_URL', redisAddress),
  /** Number of web processes. They share the ports, and each uses one core; [below](#several-processes). */
  workers: setting('WORKERS', integer(1, 1024), { default: '1' }),
  /** Addresses and CIDRs of proxies whose `X-Forwarded-For` is trusted. Example: `10.0.0.0/8,::1`. */
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    reads('IP addresses and CIDRs separated by commas', read.networks),
    { byDefault: 'none', orElse: () => [] },
  ),
  /**
   * Most connections that one client address (IPv6: one /64) may have in one process, counted for each of three kinds: those
   * that wait for the head of a request, idle ones included; those that wait for the rest of a body; and those whose answer
   * the client does not read. All clients together may have four times as many of the third kind. A further connection
   * closes the oldest one of its kind. Raise the setting if one of your servers keeps more connections to the metadata
   * service open. Connections from `TRUSTED_PROXIES` are not counted: a proxy has its own limits, for example
   * [nginx.conf](nginx.conf).
   */
  maxOpenHeads: setting('MAX_OPEN_HEADS', integer(1, 1_000_000), { default: '256' }),
  /**
   * Origins whose pages may call the services, exactly as browsers and the web views of apps send them. Example:
   * `https://app.example.com,capacitor://localhost`.
   */
  corsOrigins: setting(
    'CORS_ORIGINS',
    reads('exact origins such as https://app.example.com separated by commas', read.pageOrigins),
    { byDefault: 'none', orElse: () => [] },
  ),
  /**
   * `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`. The log is JSON lines on standard output. `info`
   * includes one line for each request.
   */
  logLevel: setting('LOG_LEVEL', oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), {
    default: 'info',
  }),
};
