import { Client, type ClientBase, Pool, type PoolClient } from 'pg';
import { Busy, isLost, ReadOnly } from './failures.ts';
import { types } from './statements.ts';

/** The schema with all tables. */
export const SCHEMA = 'gatehouse';

/** Connections of a process: those that share reads, and those on which one unit of work runs at a time. */
const READERS = 2;
const WRITERS = 8;
/** Milliseconds. */
const CONNECT_TIMEOUT = 1_500;
const IDLE_TIMEOUT = 60_000;
/** Milliseconds after which the connections of a closed database are broken: longer than the calls of requests. */
const CLOSE_TIMEOUT = 3_000;

const RECOVERY =
  "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only";
// A pooler such as PgBouncer does not keep these settings: there the role has them.
const SESSION = `
  SET search_path TO ${SCHEMA};
  SET lock_timeout TO '1s';
  SET idle_in_transaction_session_timeout TO '10s'`;

const inTime = (text: string) => ({ text, query_timeout: CONNECT_TIMEOUT });

/** Refuses a standby, which a list of hosts may name. */
const prepareSession = async (client: ClientBase): Promise<void> => {
  // The pool removes a client whose connection breaks; without a listener the event would end the process.
  client.on('error', () => undefined);
  const [, { rows }] = await Promise.all([client.query(inTime(SESSION)), client.query(inTime(RECOVERY))]);
  if (rows[0]?.read_only !== 0) throw new ReadOnly();
};

/** Ends a connection after its queries; one that does not end within so many milliseconds is broken. */
export const endClient = async (client: Client, milliseconds = CONNECT_TIMEOUT): Promise<void> => {
  const timer = setTimeout(() => client.connection.stream.destroy(), milliseconds);
  try {
    await client.end();
  } finally {
    clearTimeout(timer);
  }
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

/** Closes the pool once its connections are free; breaks those that are not in time. */
const closePool = async (pool: Pool, clients: ReadonlySet<Client>): Promise<void> => {
  const ended = [...clients].map((client) => new Promise<void>((resolve) => client.once('end', resolve)));
  const timer = setTimeout(() => {
    for (const { connection } of clients) connection.stream.destroy();
  }, CLOSE_TIMEOUT);
  try {
    // The pool does not wait for the end of connections that were free.
    await Promise.all([pool.end(), ...ended]);
  } finally {
    clearTimeout(timer);
  }
};

/** Connections to one host, of which each is used by one unit of work at a time. */
const openPool = (url: string) => {
  const clients = new Set<Client>();
  const prepare = async (connected: ClientBase) => {
    const client = connected as Client;
    clients.add(client);
    client.once('end', () => clients.delete(client));
    try {
      await prepareSession(client);
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
  };
  const pool = new Pool({
    ...optionsFor(url),
    max: WRITERS,
    idleTimeoutMillis: IDLE_TIMEOUT,
    // The pool waits for it, whatever its type says. With `verify` it would lose connections whose callers stopped waiting.
    onConnect: prepare as (client: ClientBase) => void,
  });
  // Idle connections break when the server ends; the pool replaces them.
  pool.on('error', () => undefined);
  return {
    take: async (): Promise<PoolClient> => {
      const isFull = pool.idleCount === 0 && pool.totalCount >= WRITERS;
      try {
        return await pool.connect();
      } catch (error) {
        throw isFull && isLost(error) ? new Busy() : error;
      }
    },
    close: () => closePool(pool, clients),
  };
};

const connectTo = async (url: string): Promise<Client> => {
  const client = new Client(optionsFor(url));
  try {
    await client.connect();
    await prepareSession(client);
    return client;
  } catch (error) {
    await endClient(client);
    throw error;
  }
};

/** A connection to the host at this place in the URL. */
interface Connected {
  readonly client: Client;
  readonly place: number;
}

/** A connection that many calls use at once, and that is replaced when it breaks. */
const makeSharedConnection = (connect: () => Promise<Connected>, onLost: (place: number) => void) => {
  let current: Promise<Connected> | undefined;
  let isOpen = true;
  const use = async <T>(work: (client: ClientBase) => Promise<T>): Promise<T> => {
    if (!isOpen) throw new Error('The database is closed.');
    current ??= connect();
    const connecting = current;
    const discard = () => {
      if (current === connecting) current = undefined;
    };
    const { client, place } = await connecting.catch((error: unknown) => {
      discard();
      throw error;
    });
    try {
      return await work(client);
    } catch (error) {
      if (isLost(error) && current === connecting) {
        discard();
        onLost(place);
        // It never fails, and nobody uses the connection any more.
        void endClient(client);
      }
      throw error;
    }
  };
  return {
    use,
    close: async () => {
      isOpen = false;
      const connected = await current?.catch(() => undefined);
      if (connected !== undefined) await endClient(connected.client, CLOSE_TIMEOUT);
    },
  };
};

/** The connections to the server that takes writes, of the servers in the URL. */
export interface Connections {
  /** Uses a connection that further work uses at the same time: the reads of one turn of the event loop share a round trip. */
  share<T>(work: (client: ClientBase) => Promise<T>): Promise<T>;
  /** Uses a connection alone. */
  reserve<T>(work: (client: ClientBase) => Promise<T>): Promise<T>;
  /** Opens a connection beside the others, for notifications. Tries each of the servers. */
  openClient(): Promise<Client>;
  close(): Promise<void>;
}

/** Throws the driver's error for a URL that it cannot read. */
export const makeConnections = (url: string): Connections => {
  const urls = urlsOf(url);
  for (const each of urls) new Client(optionsFor(each));
  const pools = urls.map(openPool);
  let place = 0;

  /** The next call tries the next host. */
  const leave = (left: number) => {
    if (place === left) place = (place + 1) % urls.length;
  };

  /** Leaves the host if it is down or takes no writes. */
  const onCurrentHost = async <T>(work: (place: number) => Promise<T>): Promise<T> => {
    const tried = place;
    try {
      return await work(tried);
    } catch (error) {
      if (isLost(error)) leave(tried);
      throw error;
    }
  };

  const connect = () =>
    onCurrentHost(async (tried) => ({ client: await connectTo(urls[tried] as string), place: tried }));
  const shared = Array.from({ length: READERS }, () => makeSharedConnection(connect, leave));
  let closing: Promise<unknown> | undefined;
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
    share: (work) => sharedOfTurn().use(work),
    reserve: (work) =>
      onCurrentHost(async (tried) => {
        const client = await (pools[tried] as (typeof pools)[number]).take();
        try {
          const result = await work(client);
          client.release();
          return result;
        } catch (error) {
          client.release(isLost(error));
          throw error;
        }
      }),
    openClient: async () => {
      for (let left = urls.length - 1; ; left -= 1) {
        try {
          return (await connect()).client;
        } catch (error) {
          if (left === 0 || !isLost(error)) throw error;
        }
      }
    },
    close: async () => {
      closing ??= Promise.all([...shared, ...pools].map(({ close }) => close()));
      await closing;
    },
  };
};
