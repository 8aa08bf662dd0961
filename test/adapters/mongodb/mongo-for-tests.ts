import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Document, ReadConcern } from 'mongodb';
import { indexes } from '../../../adapters/mongodb/collections.ts';
import { type MongoDatabase, openMongo } from '../../../adapters/mongodb/engine/client.ts';
import { type Indexes, makeIndexes } from '../../../adapters/mongodb/engine/indexes.ts';
import type { StorePorts } from '../../../adapters/store.ts';
import type { Clock } from '../../../core/ports.ts';
import { rounds } from '../../contracts/race.ts';
import { type MongoServer, startMongo } from '../../support/servers/mongo-server.ts';
import { explainsPlans, indexNames, scansAmong } from './plans/plans.ts';
import { type Exception, makeQueryShapes } from './plans/query-shapes.ts';

/** Replaces the name of the database in a URL. */
const withDatabase = (url: string, name: string): string =>
  url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${name}`);

/** The indexes of some collections. */
export const indexesOf = (...names: readonly (keyof typeof indexes)[]): Indexes =>
  Object.fromEntries(names.map((name) => [name, indexes[name]]));

/** The driver creates this index of GridFS by itself; no query uses it. */
const GRIDFS_NAME_INDEX = 'avatars.files.filename_1_uploadDate_1';

/** Marks commands of the tests themselves, which are not recorded. */
const FROM_TESTS = { comment: 'of the tests' } as const;
/** A database with more documents in a collection is dropped instead of emptied. */
const MAX_DELETIONS = 300;

/** Deletes all documents, but keeps collections and indexes. Returns false if a collection has too many documents. */
const emptyDatabase = async ({ client, collection }: MongoDatabase): Promise<boolean> => {
  const { dbName } = collection('any');
  const names = await client
    .db(dbName)
    .listCollections({}, { nameOnly: true, ...FROM_TESTS })
    .toArray();
  for (const { name } of names) {
    const count = await collection(name).estimatedDocumentCount(FROM_TESTS);
    if (count > MAX_DELETIONS) return false;
    if (count > 0) await collection(name).deleteMany({}, FROM_TESTS);
  }
  return true;
};

/** A database for one test. */
interface OpenedDatabase {
  readonly database: MongoDatabase;
  close(): Promise<void>;
}

/** Long enough for a test server on a busy machine. Other tests check how long a call may take. */
export const PATIENCE_MS = 60_000;

/** Adds timeouts that no call exceeds on a busy machine, such as the wait for one of 20 connections. */
export const withLongTimeouts = (url: string): string => {
  const times = ['waitQueueTimeoutMS', 'socketTimeoutMS', 'connectTimeoutMS', 'serverSelectionTimeoutMS'];
  const options = times.map((name) => `${name}=${PATIENCE_MS}`).join('&');
  return `${url}${url.includes('?') ? '&' : '?'}${options}&monitorCommands=true`;
};

/** The servers of this process by their options. They are shared, since a start takes longer than most test files. */
const servers = new Map<string, Promise<MongoServer>>();

after(async () => {
  for (const server of servers.values()) await (await server).end();
});

const sharedServer = (options: readonly string[]): Promise<MongoServer> => {
  const server = servers.get(options.join(' ')) ?? startMongo(...options);
  servers.set(options.join(' '), server);
  return server;
};

/** The number of calls so far. */
let calls = 0;

/** Sends the calls to the first and the second object in turn. */
const inTurn = <T extends object>(first: T, second: T): T =>
  new Proxy(first, {
    get: (_, name) => {
      const member: unknown = Reflect.get(first, name);
      if (typeof member === 'function')
        return (...args: readonly unknown[]) => {
          calls += 1;
          const target = calls % 2 === 0 ? first : second;
          return Reflect.apply(Reflect.get(target, name) as typeof member, target, args);
        };
      if (typeof member !== 'object' || member === null) return member;
      return inTurn(member, Reflect.get(second, name) as object);
    },
  });

/**
 * A server for the tests of a file: the server at `MONGODB_URL`, or one that all files of this process share. Call it
 * inside `describe`.
 */
export const mongoForTests = (...options: readonly string[]) => {
  const running = process.env.MONGODB_URL;
  let server: MongoServer | undefined;
  let clients: readonly MongoDatabase[] = [];
  const shapes = makeQueryShapes();
  const url = (name: string): string => {
    if (running) return withDatabase(running, name);
    if (server === undefined) throw new Error('The server is not started yet.');
    return server.url(name);
  };

  before(async () => {
    if (!running) server = await sharedServer(options);
    const connect = () => openMongo({ url: withLongTimeouts(url('unused')), deadline: PATIENCE_MS });
    clients = await Promise.all([connect(), connect()]);
    for (const { client } of clients)
      client.on('commandStarted', ({ command }) => {
        if (command.comment !== FROM_TESTS.comment) shapes.record(command);
      });
  });

  after(async () => {
    // The server at `MONGODB_URL` keeps running; a server of the tests is deleted with its data.
    if (running) for (const name of names) await clients[0]?.client.db(name).dropDatabase();
    for (const client of clients) await client.close();
  });

  /** Databases that may exist, and those that are free for reuse, by their indexes. */
  const names = new Set<string>();
  const free = new Map<string, string[]>();

  /** The database of this name on one of two connections, which stand for two processes. */
  const databaseOn = (connection: 0 | 1, name: string): MongoDatabase => {
    const client = clients[connection];
    if (client === undefined) throw new Error('The server is not started yet.');
    const database = client.client.db(name, {
      readConcern: new ReadConcern('majority'),
      writeConcern: { w: 'majority', journal: true },
    });
    return {
      ...client,
      collection: (collection) => database.collection(collection),
      close: async () => undefined,
    };
  };

  /** Opens an empty database. It reuses databases with indexes, since deleting documents is faster than building indexes. */
  const open = async (indexes: Indexes): Promise<OpenedDatabase> => {
    const key = Object.keys(indexes).join();
    const pool = free.get(key) ?? [];
    free.set(key, pool);
    const reused = pool.pop();
    const name = reused ?? `gatehouse-test-${randomUUID()}`;
    const database = databaseOn(0, name);
    if (reused === undefined) await makeIndexes(database, indexes);
    names.add(name);
    return {
      database,
      close: async () => {
        if (key !== '' && (await emptyDatabase(database))) return void pool.push(name);
        names.delete(name);
        await database.client.db(name).dropDatabase();
      },
    };
  };

  /** Opens an empty database for each test. Call it inside `describe`. */
  const useDatabase = (indexes: Indexes): (() => MongoDatabase) => {
    let opened: OpenedDatabase;
    beforeEach(async () => {
      opened = await open(indexes);
    });
    afterEach(() => opened.close());
    return () => opened.database;
  };

  /** Opens another connection to a database, as a second process would. */
  const connectAgain = ({ collection }: MongoDatabase): Promise<MongoDatabase> =>
    openMongo({ url: withLongTimeouts(url(collection('any').dbName)), deadline: PATIENCE_MS });

  /** Opens a store for a contract suite: on an empty database, called from two processes in turn. */
  const makeStoreOpener =
    <T extends object, Args extends readonly unknown[]>(
      indexes: Indexes,
      make: (database: MongoDatabase, ...args: Args) => T,
    ) =>
    async (...args: Args) => {
      const { database, close } = await open(indexes);
      const { dbName } = database.collection('any');
      return { store: inTurn(make(database, ...args), make(databaseOn(1, dbName), ...args)), close };
    };

  /** Like `makeStoreOpener`, for `storeSuites`. */
  const makePortsOpener = (indexes: Indexes, make: (database: MongoDatabase, clock: Clock) => StorePorts) => {
    const openStore = makeStoreOpener(indexes, make);
    return async (clock: Clock) => {
      const { store: ports, close } = await openStore(clock);
      return { ports, close };
    };
  };

  /** The filters of the commands that a call sends. */
  const filtersOf = async (call: () => Promise<unknown>): Promise<readonly Document[]> => {
    const commands: Document[] = [];
    const record = ({ command }: { readonly command: Document }) => commands.push(command);
    clients[0]?.client.on('commandStarted', record);
    await call();
    clients[0]?.client.off('commandStarted', record);
    return commands.flatMap(({ filter, pipeline }) => filter ?? pipeline?.[0].$match ?? []);
  };

  /** Checks the plans of all commands of the suites so far. Call it last. */
  const checkPlans = (...exceptions: readonly Exception[]) =>
    describe('The commands of the suites above', () => {
      it('use supported features and an index, but for the listed exceptions', async () => {
        const { forbidden, faults, needless, indexed } = shapes.judge(exceptions);
        expect(forbidden).to.deep.equal([]);
        expect(faults).to.deep.equal([]);
        expect(needless).to.deep.equal([]);
        expect(indexed).not.to.deep.equal([]);
        const { database, close } = await open(indexes);
        const db = database.client.db(database.collection('any').dbName);
        if (await explainsPlans(db)) expect(await scansAmong(db, indexed)).to.deep.equal([]);
        await close();
      });
    });

  /** Checks that the suites so far use every index of these collections. Call it last. */
  const checkIndexes = (indexes: Indexes) =>
    describe('The commands of the suites above', () => {
      it('use every index, and compare few fields outside the index', () => {
        const { compared, used } = shapes.uses();
        expect(compared).to.deep.equal([]);
        const unused = indexNames(indexes).filter((name) => !used.includes(name));
        expect(unused.filter((name) => name !== GRIDFS_NAME_INDEX)).to.deep.equal([]);
      });
    });

  return {
    url,
    open,
    useDatabase,
    connectAgain,
    makeStoreOpener,
    makePortsOpener,
    filtersOf,
    checkPlans,
    checkIndexes,
    shapes,
    server: () => server,
  };
};

/**
 * Runs the suites on a replica set with one server, and on a standalone server. `isFull` is false for the latter unless LONG
 * is set: the suites are slow, and send the same commands to both.
 */
export const onEachMongo = (
  suites: (name: string, mongo: ReturnType<typeof mongoForTests>, isFull: boolean) => void,
): void => {
  describe('A MongoDB server', () => suites('MongoDB', mongoForTests(), true));
  if (process.env.MONGODB_URL) return;
  describe('A standalone MongoDB server', () => {
    const roundsSetting = process.env.ROUNDS;
    // Half the rounds suffice: races hardly depend on the kind of server.
    before(() => {
      process.env.ROUNDS = `${Math.ceil(rounds() / 2)}`;
    });
    after(() => {
      if (roundsSetting === undefined) delete process.env.ROUNDS;
      else process.env.ROUNDS = roundsSetting;
    });
    suites('A standalone MongoDB', mongoForTests('--standalone'), process.env.LONG !== undefined);
  });
};
