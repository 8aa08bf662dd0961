import { Client, type ClientBase, Pool, type PoolClient } from 'pg';
import { isLost, ReadOnly } from './failures.ts';
import { types } from './statements.ts';

/** The schema with all tables. */
export const SCHEMA = 'gatehouse';

/** Connections of a process: those that share reads, and those on which one unit of work runs at a time. */
const READERS = 2;
const WRITERS = 8;
/** Milliseconds. */
const CONNECT_TIMEOUT = 1_500;
const IDLE_TIMEOUT = 60_000;

const RECOVERY =
  "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only";
// A pooler such as PgBouncer does not keep these settings: there the role has them.
const SESSION = `
  SET search_path TO ${SCHEMA};
  SET idle_in_transaction_session_timeout TO '10s'`;

/** Refuses a standby, which a list of hosts may name. */
const prepareSession = async (client: ClientBase): Promise<void> => {
  // The pool removes a client whose connection breaks; without a listener the event would end the process.
  client.on('error', () => undefined);
  const [, { rows }] = await Promise.all([client.query(SESSION), client.query(RECOVERY)]);
  if (rows[0]?.read_only !== 0) throw new ReadOnly();
};

/** The URL with each of its hosts alone. */
const urlsOf = (url: string): readonly string[] => {
  const [, scheme = '', user = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^@/?]*@)?([^/?]*)(.*)$/s.exec(url) ?? [];
  return hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`);
};

const optionsFor = (connectionString: string) => ({
  connectionString,
  application_name: 'gatehouse',
  connectionTimeoutMillis: CONNECT_TIMEOUT,
  keepAlive: true,
  // Queries are sent without waiting for the answers to those before.
  pipeline: true,
  types,
});

const openPool = (url: string): Pool => {
  const pool = new Pool({
    ...optionsFor(url),
    max: READERS + WRITERS,
    idleTimeoutMillis: IDLE_TIMEOUT,
    verify: (client, done) => {
      prepareSession(client).then(() => done(), done);
    },
  });
  // Idle connections break when the server ends; the pool replaces them.
  pool.on('error', () => undefined);
  return pool;
};

/** A connection that many calls use at once, and that is replaced when it breaks. */
const makeSharedConnection = (connect: () => Promise<PoolClient>) => {
  let current: Promise<PoolClient> | undefined;
  const use = async <T>(work: (client: ClientBase) => Promise<T>): Promise<T> => {
    current ??= connect();
    const connecting = current;
    const discard = () => {
      if (current === connecting) current = undefined;
    };
    const client = await connecting.catch((error: unknown) => {
      discard();
      throw error;
    });
    try {
      return await work(client);
    } catch (error) {
      if (isLost(error) && current === connecting) {
        discard();
        client.release(true);
      }
      throw error;
    }
  };
  return {
    use,
    close: async () => {
      const client = await current?.catch(() => undefined);
      current = undefined;
      client?.release(true);
    },
  };
};

/** The connections to the server that takes writes, of the servers in the URL. */
export interface Connections {
  /** Uses a connection that further work uses at the same time: the reads of one turn of the event loop share a round trip. */
  share<T>(work: (client: ClientBase) => Promise<T>): Promise<T>;
  /** Uses a connection alone. */
  reserve<T>(work: (client: ClientBase) => Promise<T>): Promise<T>;
  /** Opens a connection beside the others, for notifications. */
  openClient(): Promise<Client>;
  close(): Promise<void>;
}

/** Throws the driver's error for a URL that it cannot read. */
export const makeConnections = (url: string): Connections => {
  const urls = urlsOf(url);
  for (const each of urls) new Client(optionsFor(each));
  const pools = urls.map(openPool);
  let place = 0;

  /** The next call tries the next host if this one is down or takes no writes. */
  const onCurrentHost = async <T>(work: (pool: Pool, url: string) => Promise<T>): Promise<T> => {
    const tried = place;
    try {
      return await work(pools[tried] as Pool, urls[tried] as string);
    } catch (error) {
      if (isLost(error) && place === tried) place = (place + 1) % pools.length;
      throw error;
    }
  };

  const connect = () => onCurrentHost((pool) => pool.connect());
  const shared = Array.from({ length: READERS }, () => makeSharedConnection(connect));
  let turn = 0;
  let isTurnOpen = false;

  const sharedOfTurn = () => {
    if (!isTurnOpen) {
      isTurnOpen = true;
      turn = (turn + 1) % READERS;
      setImmediate(() => {
        isTurnOpen = false;
      });
    }
    return shared[turn] as (typeof shared)[number];
  };

  return {
    share: (work) => onCurrentHost(() => sharedOfTurn().use(work)),
    reserve: (work) =>
      onCurrentHost(async (pool) => {
        const client = await pool.connect();
        try {
          const result = await work(client);
          client.release();
          return result;
        } catch (error) {
          client.release(isLost(error));
          throw error;
        }
      }),
    openClient: () =>
      onCurrentHost(async (_, current) => {
        const client = new Client(optionsFor(current));
        await client.connect();
        try {
          await prepareSession(client);
          return client;
        } catch (error) {
          await client.end();
          throw error;
        }
      }),
    close: async () => {
      await Promise.all(shared.map((connection) => connection.close()));
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
};
