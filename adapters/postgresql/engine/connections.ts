import { setTimeout as pause } from 'node:timers/promises';
import { Client, type ClientBase } from 'pg';
import { Busy, Closed, isLost, ReadOnly } from './failures.ts';
import { types } from './statements.ts';

/** The schema with all tables. */
export const SCHEMA = 'gatehouse';

/** Connections of a process, and the calls that may be under way on each. */
const READ_CONNECTIONS = 2;
const MOST_READS = 32;
const WRITE_CONNECTIONS = 8;
const MOST_WRITES = 8;
/** Milliseconds. */
const CONNECT_TIMEOUT = 1_500;
/** How long a statement waits for a lock, for PostgreSQL. */
export const LOCK_TIMEOUT = '1s';
/** Milliseconds that a closed database waits for its calls: longer than those of requests take. */
const CLOSE_TIMEOUT = 3_000;

const RECOVERY =
  "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only";
// A pooler such as PgBouncer does not keep these settings: there the role has them. The last two are for statements that are
// planned while a table is small, and stay so while an import fills it: they would go over all of it.
const SESSION = `
  SET search_path TO ${SCHEMA};
  SET lock_timeout TO '${LOCK_TIMEOUT}';
  SET idle_in_transaction_session_timeout TO '10s';
  SET default_transaction_isolation TO 'read committed';
  SET enable_seqscan TO off; SET jit TO off`;

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

export const inTime = (text: string, milliseconds = CONNECT_TIMEOUT) => ({
  text,
  query_timeout: milliseconds,
});

/** Refuses a standby, which a list of hosts may name. */
const prepareSession = async (client: ClientBase): Promise<void> => {
  const [, { rows }] = await Promise.all([client.query(inTime(SESSION)), client.query(inTime(RECOVERY))]);
  if (rows[0]?.read_only !== 0) throw new ReadOnly();
};

/** Ends a connection after its queries; one that does not end within so many milliseconds is broken. */
export const endClient = async (client: Client, milliseconds = CONNECT_TIMEOUT): Promise<void> => {
  const timer = setTimeout(() => client.connection.stream.destroy(), milliseconds);
  await client.end().finally(() => clearTimeout(timer));
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
  // Its calls fail when a connection breaks; without a listener the event would end the process.
  client.on('error', () => undefined);
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

type Work<T> = (client: ClientBase) => Promise<T>;

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

  const call = async <T>(work: Work<T>, until: number): Promise<T> => {
    const connecting = connected();
    const { client, place } = await connecting;
    if (performance.now() > until) throw new Busy();
    try {
      return await work(client);
    } catch (error) {
      if (isLost(error) && current === connecting) {
        forget(connecting);
        onLost(place);
        // It never fails. Other calls on the connection fail with it.
        void endClient(client);
      }
      throw error;
    }
  };

  return {
    calls,
    /** Whether one call is to be alone. */
    isReserved: false,
    /** Throws `Busy` if it is too late to begin. */
    use: async <T>(work: Work<T>, until: number): Promise<T> => {
      if (!isOpen) throw new Closed();
      const result = call(work, until);
      calls.add(result);
      return result.finally(() => calls.delete(result));
    },
    /** Ends it after its calls; those that are not in time are broken off. */
    close: async () => {
      isOpen = false;
      await Promise.race([Promise.allSettled(calls), pause(CLOSE_TIMEOUT, undefined, { ref: false })]);
      const last = await current?.catch(() => undefined);
      if (last !== undefined) await endClient(last.client);
    },
  };
};

type Connection = ReturnType<typeof makeConnection>;

/**
 * Connections, each of which is used by at most so many calls at once, or by one alone. Further calls wait in their order. With
 * `staysForTurn` the calls of one turn of the event loop use one connection.
 */
const makePool = (
  connections: readonly Connection[],
  most: number,
  { staysForTurn = false }: { readonly staysForTurn?: boolean } = {},
) => {
  const queue: { readonly isAlone: boolean; start(connection: Connection): void }[] = [];
  let ofTurn: Connection | undefined;

  const isFree = ({ isReserved, calls }: Connection, isAlone: boolean): boolean =>
    !isReserved && (isAlone || calls.size < most);
  const leastUsed = (isAlone: boolean): Connection | undefined => {
    const free = connections.filter((each) => isFree(each, isAlone));
    return free.toSorted((left, right) => left.calls.size - right.calls.size)[0];
  };
  const choose = (isAlone: boolean): Connection | undefined => {
    if (!staysForTurn) return leastUsed(isAlone);
    if (ofTurn !== undefined && isFree(ofTurn, isAlone)) return ofTurn;
    ofTurn = leastUsed(isAlone);
    setImmediate(() => {
      ofTurn = undefined;
    });
    return ofTurn;
  };
  const startWaiting = () => {
    for (let [first] = queue; first !== undefined; [first] = queue) {
      const connection = choose(first.isAlone);
      if (connection === undefined) return;
      queue.shift();
      first.start(connection);
    }
  };
  const wait = <T>(isAlone: boolean, until: number, use: (connection: Connection) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const waiting = {
        isAlone,
        start: (connection: Connection) => {
          clearTimeout(timer);
          use(connection).then(resolve, reject);
        },
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(new Busy());
      }, until - performance.now());
      queue.push(waiting);
    });
  /** Between the choice and the use nobody else may choose. */
  const run = async <T>(
    isAlone: boolean,
    until: number,
    use: (connection: Connection) => Promise<T>,
  ): Promise<T> => {
    const connection = queue.length === 0 ? choose(isAlone) : undefined;
    try {
      return await (connection === undefined ? wait(isAlone, until, use) : use(connection));
    } finally {
      startWaiting();
    }
  };

  return {
    share: <T>(work: Work<T>, until: number): Promise<T> =>
      run(false, until, (connection) => connection.use(work, until)),
    reserve: <T>(work: Work<T>, until: number): Promise<T> =>
      run(true, until, async (connection) => {
        connection.isReserved = true;
        try {
          // They may have statements to send yet.
          await Promise.allSettled(connection.calls);
          return await connection.use(work, until);
        } finally {
          connection.isReserved = false;
        }
      }),
  };
};

/**
 * The connections to the server that takes writes, of the servers in the URL. Calls throw `Busy` if they cannot begin until that
 * time by `performance.now()`. Throws the driver's error for a URL that it cannot read.
 */
export const makeConnections = (url: string) => {
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
  const forReads = open(READ_CONNECTIONS);
  const forWrites = open(WRITE_CONNECTIONS);
  const { share, reserve } = makePool(forWrites, MOST_WRITES);
  let closing: Promise<unknown> | undefined;

  return {
    /** The reads of one turn of the event loop share a round trip. */
    read: makePool(forReads, MOST_READS, { staysForTurn: true }).share,
    /** For one statement: further ones may follow on the same connection before its answer. */
    write: share,
    /** Uses a connection alone. */
    reserve,
    /** Opens a connection beside the others, for notifications. Tries each of the servers. */
    openClient: async (): Promise<Client> => {
      for (let left = urls.length - 1; ; left -= 1) {
        try {
          return (await connect()).client;
        } catch (error) {
          if (left === 0 || !isLost(error)) throw error;
        }
      }
    },
    close: async (): Promise<void> => {
      closing ??= Promise.all([...forReads, ...forWrites].map(({ close }) => close()));
      await closing;
    },
  };
};
