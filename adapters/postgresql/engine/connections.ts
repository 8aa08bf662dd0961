import { setTimeout as pause } from 'node:timers/promises';
import { Client, type ClientBase } from 'pg';
import { Busy, Closed, isLost, ReadOnly } from './failures.ts';
import { types } from './statements.ts';

/** The schema with all tables. */
export const SCHEMA = 'gatehouse';

/** Connections of a process, and the calls that may be under way on each of them. */
const READ_CONNECTIONS = 2;
const READS_PER_CONNECTION = 32;
const WRITE_CONNECTIONS = 8;
const WRITES_PER_CONNECTION = 8;
/** The time for each of three steps: to connect, to set up a session, and to end a connection. */
const CONNECT_TIMEOUT_MS = 1_500;
/** How long a statement waits for a lock, as PostgreSQL writes a duration. */
export const LOCK_TIMEOUT = '1s';
/** The time for which a close waits for calls under way: longer than the deadline of a request, `STORE_DEADLINE_MS`. */
const CLOSE_TIMEOUT_MS = 3_000;

const IS_READ_ONLY =
  "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only";
// Behind a pooler such as PgBouncer, which does not keep these settings, the role must have them: see docs/deploying.md.
// No sequential scans: a statement that is prepared while a table is small keeps its plan while an import fills the table.
// No JIT: where a scan is the only plan, the setting makes its cost count as so high that PostgreSQL would compile it.
const SESSION_SETTINGS = `
  SET search_path TO ${SCHEMA};
  SET lock_timeout TO '${LOCK_TIMEOUT}';
  SET idle_in_transaction_session_timeout TO '10s';
  SET default_transaction_isolation TO 'read committed';
  SET enable_seqscan TO off; SET jit TO off`;

const corked = new WeakSet<Client['connection']['stream']>();

/** Holds back what is sent from now on, and sends it in one piece at the next tick. */
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

/** A query that fails if its answer takes longer. */
export const withTimeout = (text: string, milliseconds = CONNECT_TIMEOUT_MS) => ({
  text,
  query_timeout: milliseconds,
});

/** Sets up a session. Throws `ReadOnly` for a standby, which a list of hosts may name, and for a server made read-only. */
const prepareSession = async (client: ClientBase): Promise<void> => {
  const [, { rows }] = await Promise.all([
    client.query(withTimeout(SESSION_SETTINGS)),
    client.query(withTimeout(IS_READ_ONLY)),
  ]);
  // `types` reads a boolean as 1 or 0.
  if (rows[0]?.read_only !== 0) throw new ReadOnly();
};

/** Ends a connection after its queries, and cuts it off if that takes longer. */
export const endClient = async (client: Client, milliseconds = CONNECT_TIMEOUT_MS): Promise<void> => {
  const timer = setTimeout(() => client.connection.stream.destroy(), milliseconds);
  await client.end().finally(() => clearTimeout(timer));
};

/** A URL for each of the hosts in a URL. */
const urlsOf = (url: string): readonly string[] => {
  const [, scheme = '', user = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?]*@)?([^@/?]*)(.*)$/s.exec(url) ?? [];
  return hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`);
};

const optionsFor = (connectionString: string) => ({
  connectionString,
  application_name: 'gatehouse',
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
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

/** A connection to the host at this index in the URL. */
interface Connected {
  readonly client: Client;
  readonly hostIndex: number;
}

type Work<T> = (client: ClientBase) => Promise<T>;

/** A connection that is opened with its first call, and again after it broke. */
const makeConnection = (connect: () => Promise<Connected>, onLost: (hostIndex: number) => void) => {
  const calls = new Set<Promise<unknown>>();
  let current: Promise<Connected> | undefined;
  let isOpen = true;

  const forget = (connecting: Promise<Connected>) => {
    if (current === connecting) current = undefined;
  };
  const currentConnection = (): Promise<Connected> => {
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
    const connecting = currentConnection();
    const { client, hostIndex } = await connecting;
    if (performance.now() > until) throw new Busy();
    try {
      return await work(client);
    } catch (error) {
      if (isLost(error) && current === connecting) {
        forget(connecting);
        onLost(hostIndex);
        // Not awaited: other calls on the connection may still end in time. It never fails.
        void endClient(client);
      }
      throw error;
    }
  };

  return {
    calls,
    /** True from the moment a call reserves the connection: while it waits for earlier calls to end, and while it works. */
    isReserved: false,
    /** Throws `Busy` if it is too late to begin. */
    use: async <T>(work: Work<T>, until: number): Promise<T> => {
      if (!isOpen) throw new Closed();
      const result = call(work, until);
      calls.add(result);
      return result.finally(() => calls.delete(result));
    },
    /** Ends the connection after its calls, for which it waits for `CLOSE_TIMEOUT_MS`. */
    close: async () => {
      isOpen = false;
      await Promise.race([Promise.allSettled(calls), pause(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
      const last = await current?.catch(() => undefined);
      if (last !== undefined) await endClient(last.client);
    },
  };
};

type Connection = ReturnType<typeof makeConnection>;

/**
 * Shares connections among calls: at most `most` calls use a connection at once, or one call reserves it. Further calls wait in
 * their order. With `staysForTurn` the calls of one turn of the event loop use the same connection, and share a round trip.
 */
const makePool = (
  connections: readonly Connection[],
  most: number,
  { staysForTurn = false }: { readonly staysForTurn?: boolean } = {},
) => {
  const queue: { readonly isAlone: boolean; start(connection: Connection): void }[] = [];
  let turnConnection: Connection | undefined;

  /** `isAlone`: the call may take a connection that other calls still share, since `reserve` waits for their end. */
  const isFree = ({ isReserved, calls }: Connection, isAlone: boolean): boolean =>
    !isReserved && (isAlone || calls.size < most);
  const leastUsed = (isAlone: boolean): Connection | undefined => {
    const free = connections.filter((each) => isFree(each, isAlone));
    return free.toSorted((left, right) => left.calls.size - right.calls.size)[0];
  };
  const choose = (isAlone: boolean): Connection | undefined => {
    if (!staysForTurn) return leastUsed(isAlone);
    if (turnConnection !== undefined && isFree(turnConnection, isAlone)) return turnConnection;
    turnConnection = leastUsed(isAlone);
    setImmediate(() => {
      turnConnection = undefined;
    });
    return turnConnection;
  };
  const startWaiting = () => {
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
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
  /** No `await` may stand between `choose` and `use`: another call could choose the same connection. */
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
          // Calls that share the connection may still have statements to send.
          await Promise.allSettled(connection.calls);
          return await connection.use(work, until);
        } finally {
          connection.isReserved = false;
        }
      }),
  };
};

/**
 * Connections to the server that takes writes among those in the URL. A call throws `Busy` if it cannot begin by `until`, a time
 * by `performance.now()`. Throws the driver's error for a URL that it cannot read.
 */
export const makeConnections = (url: string) => {
  const urls = urlsOf(url);
  // Only to throw for a URL that the driver cannot read: the constructor connects to nothing.
  for (const each of urls) new Client(optionsFor(each));
  let hostIndex = 0;

  /** Makes the next connection try the next host, unless another call has done so. */
  const leave = (failedIndex: number) => {
    if (hostIndex === failedIndex) hostIndex = (hostIndex + 1) % urls.length;
  };

  /** Leaves the host if it is down or takes no writes. */
  const connect = async (): Promise<Connected> => {
    const triedIndex = hostIndex;
    try {
      return { client: await connectTo(urls[triedIndex] as string), hostIndex: triedIndex };
    } catch (error) {
      if (isLost(error)) leave(triedIndex);
      throw error;
    }
  };

  const open = (count: number) => Array.from({ length: count }, () => makeConnection(connect, leave));
  const forReads = open(READ_CONNECTIONS);
  const forWrites = open(WRITE_CONNECTIONS);
  const { share, reserve } = makePool(forWrites, WRITES_PER_CONNECTION);
  let closing: Promise<unknown> | undefined;

  return {
    /** The reads of one turn of the event loop share a round trip. */
    read: makePool(forReads, READS_PER_CONNECTION, { staysForTurn: true }).share,
    /** For one statement: further ones may follow on the same connection before its answer. */
    write: share,
    /** Uses a connection alone. */
    reserve,
    /** Opens a connection beside the others, for notifications. Tries each of the servers. */
    openClient: async (): Promise<Client> => {
      for (let untried = urls.length - 1; ; untried -= 1) {
        try {
          return (await connect()).client;
        } catch (error) {
          if (untried === 0 || !isLost(error)) throw error;
        }
      }
    },
    close: async (): Promise<void> => {
      closing ??= Promise.all([...forReads, ...forWrites].map(({ close }) => close()));
      await closing;
    },
  };
};
