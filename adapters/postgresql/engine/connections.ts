import { setTimeout as pause } from 'node:timers/promises';
import { Client, type ClientBase } from 'pg';
import { Busy, isLost, ReadOnly } from './failures.ts';
import { types } from './statements.ts';

/** The schema with all tables. */
export const SCHEMA = 'gatehouse';

/** Connections of a process. */
const READERS = 2;
const WRITERS = 8;
/** Milliseconds. */
const CONNECT_TIMEOUT = 1_500;
/** Milliseconds that a closed database waits for its calls: longer than those of requests take. */
const CLOSE_TIMEOUT = 3_000;

const RECOVERY =
  "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only";
// A pooler such as PgBouncer does not keep these settings: there the role has them.
const SESSION = `
  SET search_path TO ${SCHEMA};
  SET lock_timeout TO '1s';
  SET idle_in_transaction_session_timeout TO '10s'`;

const corked = new WeakSet<Client['connection']['stream']>();
/** What is sent in one turn of the event loop goes out in one piece. */
export const corkTurn = (client: ClientBase): void => {
  const { stream } = (client as Client).connection;
  if (corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  process.nextTick(() => {
    corked.delete(stream);
    stream.uncork();
  });
};

const inTime = (text: string) => ({ text, query_timeout: CONNECT_TIMEOUT });

/** Refuses a standby, which a list of hosts may name. */
const prepareSession = async (client: ClientBase): Promise<void> => {
  // Its calls fail when a connection breaks; without a listener the event would end the process.
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
    /^(postgres(?:ql)?:\/\/)([^/?]*@)?([^@/?]*)(.*)$/s.exec(url) ?? [];
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

/** A connection that is opened with its first call, and again after it broke. */
const makeConnection = (connect: () => Promise<Connected>, onLost: (place: number) => void) => {
  const calls = new Set<Promise<unknown>>();
  let current: Promise<Connected> | undefined;
  let isOpen = true;

  const forget = (connecting: Promise<Connected>) => {
    if (current === connecting) current = undefined;
  };
  const connected = (): Promise<Connected> => {
    if (current !== undefined) return current;
    const connecting = connect();
    current = connecting;
    connecting.then(
      ({ client }) => client.once('end', () => forget(connecting)),
      () => forget(connecting),
    );
    return connecting;
  };

  const call = async <T>(work: (client: ClientBase) => Promise<T>): Promise<T> => {
    const connecting = connected();
    const { client, place } = await connecting;
    try {
      return await work(client);
    } catch (error) {
      if (isLost(error) && current === connecting) {
        forget(connecting);
        onLost(place);
        // It never fails, and nobody uses the connection any more.
        void endClient(client);
      }
      throw error;
    }
  };

  return {
    calls,
    /** Whether one call is to be alone. */
    isReserved: false,
    use: async <T>(work: (client: ClientBase) => Promise<T>): Promise<T> => {
      if (!isOpen) throw new Error('The database is closed.');
      const result = call(work);
      calls.add(result);
      try {
        return await result;
      } finally {
        calls.delete(result);
      }
    },
    /** Ends it after its calls; those that are not in time are broken off. */
    close: async () => {
      isOpen = false;
      const done = new AbortController();
      const late = pause(CLOSE_TIMEOUT, undefined, { signal: done.signal }).catch(() => undefined);
      await Promise.race([Promise.allSettled(calls), late]);
      done.abort();
      const last = await current?.catch(() => undefined);
      if (last !== undefined) await endClient(last.client);
    },
  };
};

type Connection = ReturnType<typeof makeConnection>;

/** Connections, each of which is used by several calls at once or by one alone. */
const makePool = (connections: readonly Connection[]) => {
  const waiting = new Set<() => void>();
  const leastUsed = (): Connection | undefined => {
    let best: Connection | undefined;
    for (const connection of connections) {
      if (connection.isReserved) continue;
      if (best === undefined || connection.calls.size < best.calls.size) best = connection;
    }
    return best;
  };
  const nextRelease = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(wake);
        reject(new Busy());
      }, CONNECT_TIMEOUT);
      const wake = () => {
        clearTimeout(timer);
        waiting.delete(wake);
        resolve();
      };
      waiting.add(wake);
    });
  /** Begins to use a connection that nobody has reserved: between the choice and the use nobody else may choose. */
  const begin = async <T>(use: (connection: Connection) => Promise<T>): Promise<T> => {
    for (;;) {
      const connection = leastUsed();
      if (connection !== undefined) return use(connection);
      await nextRelease();
    }
  };
  return {
    share: <T>(work: (client: ClientBase) => Promise<T>): Promise<T> => begin(({ use }) => use(work)),
    reserve: <T>(work: (client: ClientBase) => Promise<T>): Promise<T> =>
      begin(async (connection) => {
        connection.isReserved = true;
        try {
          // They may have statements to send yet.
          await Promise.allSettled(connection.calls);
          return await connection.use(work);
        } finally {
          connection.isReserved = false;
          for (const wake of waiting) wake();
        }
      }),
  };
};

/** The connections to the server that takes writes, of the servers in the URL. */
export interface Connections {
  /** The reads of one turn of the event loop share a round trip. */
  read<T>(work: (client: ClientBase) => Promise<T>): Promise<T>;
  /** For one statement: further ones may follow on the same connection before its answer. */
  write<T>(work: (client: ClientBase) => Promise<T>): Promise<T>;
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
  let place = 0;

  /** The next call tries the next host. */
  const leave = (left: number) => {
    if (place === left) place = (place + 1) % urls.length;
  };

  /** Leaves the host if it is down or takes no writes. */
  const connect = async (): Promise<Connected> => {
    const tried = place;
    try {
      return { client: await connectTo(urls[tried] as string), place: tried };
    } catch (error) {
      if (isLost(error)) leave(tried);
      throw error;
    }
  };

  const open = (count: number) => Array.from({ length: count }, () => makeConnection(connect, leave));
  const readers = open(READERS);
  const writers = open(WRITERS);
  const { share, reserve } = makePool(writers);
  let closing: Promise<unknown> | undefined;
  let turn = 0;
  let isTurnOpen = false;

  const readerOfTurn = () => {
    if (!isTurnOpen) {
      isTurnOpen = true;
      turn = (turn + 1) % READERS;
      setImmediate(() => {
        isTurnOpen = false;
      });
    }
    return readers[turn] as Connection;
  };

  return {
    read: (work) => readerOfTurn().use(work),
    write: share,
    reserve,
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
      closing ??= Promise.all([...readers, ...writers].map(({ close }) => close()));
      await closing;
    },
  };
};
