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
import { indexNames, saysHow, scansAmong } from './plans/plans.ts';
import { type Exception, makeQueryShapes } from './plans/query-shapes.ts';

/** The URL with another database, whatever else is in it. */
const withDatabase = (url: string, name: string): string =>
  url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${name}`);

/** The indexes of some collections. */
export const indexesOf = (...names: readonly (keyof typeof indexes)[]): Indexes =>
  Object.fromEntries(names.map((name) => [name, indexes[name]]));

/** The driver makes it where it is missing, and nobody looks for a file by its name. */
const OF_GRIDFS = 'avatars.files.filename_1_uploadDate_1';

/** What no store asks. */
const OURS = { comment: 'of the tests' } as const;
/** Documents of a collection that are removed one by one. */
const FEW = 300;

/** Removes all documents, where they are few: collections and indexes stay. False where they are many. */
const emptied = async ({ client, collection }: MongoDatabase): Promise<boolean> => {
  const { dbName } = collection('any');
  const names = await client
    .db(dbName)
    .listCollections({}, { nameOnly: true, ...OURS })
    .toArray();
  for (const { name } of names) {
    const count = await collection(name).estimatedDocumentCount(OURS);
    if (count > FEW) return false;
    if (count > 0) await collection(name).deleteMany({}, OURS);
  }
  return true;
};

/** A database, and how to drop it. */
interface Opened {
  readonly database: MongoDatabase;
  close(): Promise<void>;
}

/** A test server on a busy machine takes its time; how long a caller waits is another test's matter. */
export const PATIENCE = 60_000;

/** The URL with limits for which no call on a busy machine is too slow, such as the wait for one of 20 connections. */
export const patiently = (url: string): string => {
  const times = ['waitQueueTimeoutMS', 'socketTimeoutMS', 'connectTimeoutMS', 'serverSelectionTimeoutMS'];
  const patience = times.map((name) => `${name}=${PATIENCE}`).join('&');
  return `${url}${url.includes('?') ? '&' : '?'}${patience}&monitorCommands=true`;
};

/** The servers of this process by their options: to start one takes longer than the tests of most files. */
const servers = new Map<string, Promise<MongoServer>>();

after(async () => {
  for (const server of servers.values()) await (await server).end();
});

const sharedServer = (options: readonly string[]): Promise<MongoServer> => {
  const server = servers.get(options.join(' ')) ?? startMongo(...options);
  servers.set(options.join(' '), server);
  return server;
};

/** Turns that were taken. */
let turns = 0;

/** The same members, the calls of which go to one and the other by turns. */
const byTurns = <T extends object>(one: T, other: T): T =>
  new Proxy(one, {
    get: (_, name) => {
      const member: unknown = Reflect.get(one, name);
      if (typeof member === 'function')
        return (...given: readonly unknown[]) => {
          turns += 1;
          const target = turns % 2 === 0 ? one : other;
          return Reflect.apply(Reflect.get(target, name) as typeof member, target, given);
        };
      if (typeof member !== 'object' || member === null) return member;
      return byTurns(member, Reflect.get(other, name) as object);
    },
  });

/**
 * A server for the tests of a file: the one that `MONGODB_URL` names, or one for all files of this process. Call it inside
 * `describe`.
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
    const connect = () => openMongo({ url: patiently(url('unused')), deadline: PATIENCE });
    clients = await Promise.all([connect(), connect()]);
    for (const { client } of clients)
      client.on('commandStarted', ({ command }) => {
        if (command.comment !== OURS.comment) shapes.note(command);
      });
  });

  after(async () => {
    // Of a server that runs on; one of ours goes with all it has.
    if (running) for (const name of names) await clients[0]?.client.db(name).dropDatabase();
    for (const client of clients) await client.close();
  });

  /** Databases that may be there, and those that no test uses now, by their indexes. */
  const names = new Set<string>();
  const free = new Map<string, string[]>();

  /** The database of this name, on one of two connections as two processes have them. */
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

  /** An empty database with these indexes, a new one without any: to empty one is faster than to make its indexes anew. */
  const open = async (indexes: Indexes): Promise<Opened> => {
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
        if (key !== '' && (await emptied(database))) return void pool.push(name);
        names.delete(name);
        await database.client.db(name).dropDatabase();
      },
    };
  };

  /** An empty database for each test, as `open` gives it. Call it inside `describe`. */
  const useDatabase = (indexes: Indexes): (() => MongoDatabase) => {
    let opened: Opened;
    beforeEach(async () => {
      opened = await open(indexes);
    });
    afterEach(() => opened.close());
    return () => opened.database;
  };

  /** A further connection to a database, as another process has. */
  const connectAgain = ({ collection }: MongoDatabase): Promise<MongoDatabase> =>
    openMongo({ url: patiently(url(collection('any').dbName)), deadline: PATIENCE });

  /** What a contract suite opens: a store on an empty database, the calls of which come by turns from two processes. */
  const openedStore =
    <T extends object, Given extends readonly unknown[]>(
      indexes: Indexes,
      make: (database: MongoDatabase, ...given: Given) => T,
    ) =>
    async (...given: Given) => {
      const { database, close } = await open(indexes);
      const { dbName } = database.collection('any');
      return { store: byTurns(make(database, ...given), make(databaseOn(1, dbName), ...given)), close };
    };

  /** The same for `storeSuites`. */
  const openedPorts = (indexes: Indexes, make: (database: MongoDatabase, clock: Clock) => StorePorts) => {
    const openStore = openedStore(indexes, make);
    return async (clock: Clock) => {
      const { store: ports, close } = await openStore(clock);
      return { ports, close };
    };
  };

  /** What the call asks for, filter by filter. */
  const filtersOf = async (call: () => Promise<unknown>): Promise<readonly Document[]> => {
    const asked: Document[] = [];
    const note = ({ command }: { readonly command: Document }) => asked.push(command);
    clients[0]?.client.on('commandStarted', note);
    await call();
    clients[0]?.client.off('commandStarted', note);
    return asked.flatMap(({ filter, pipeline }) => filter ?? pipeline?.[0].$match ?? []);
  };

  /** Looks at all that the suites before asked. Call it last. */
  const explainsAll = (...exceptions: readonly Exception[]) =>
    describe('What the suites asked', () => {
      it('is answered out of an index, in its order, by every server, but for reasons that hold', async () => {
        const { forbidden, faults, needless, others } = shapes.judge(exceptions);
        expect(forbidden).to.deep.equal([]);
        expect(faults).to.deep.equal([]);
        expect(needless).to.deep.equal([]);
        expect(others).not.to.deep.equal([]);
        const { database, close } = await open(indexes);
        const db = database.client.db(database.collection('any').dbName);
        if (await saysHow(db)) expect(await scansAmong(db, others)).to.deep.equal([]);
        await close();
      });
    });

  /** Looks at the indexes of these collections, of which the suites before are all. Call it last. */
  const usesEveryIndex = (indexes: Indexes) =>
    describe('What the suites asked', () => {
      it('leads through every index, which leaves little to compare', () => {
        const { compared, used } = shapes.uses();
        expect(compared).to.deep.equal([]);
        const unused = indexNames(indexes).filter((name) => !used.includes(name));
        expect(unused.filter((name) => name !== OF_GRIDFS)).to.deep.equal([]);
      });
    });

  return {
    url,
    open,
    useDatabase,
    connectAgain,
    openedStore,
    openedPorts,
    filtersOf,
    explainsAll,
    usesEveryIndex,
    shapes,
    server: () => server,
  };
};

/**
 * Runs the suites on a server of each kind that can be started: a replica set of one, and a standalone. `isWhole` tells
 * whether to run all of them: the calls are the same on either server, and many.
 */
export const onEachMongo = (
  suites: (name: string, mongo: ReturnType<typeof mongoForTests>, isWhole: boolean) => void,
): void => {
  describe('A MongoDB server', () => suites('MongoDB', mongoForTests(), true));
  if (process.env.MONGODB_URL) return;
  describe('A standalone MongoDB server', () => {
    const given = process.env.ROUNDS;
    // How a server is set up changes little about races.
    before(() => {
      process.env.ROUNDS = `${Math.ceil(rounds() / 2)}`;
    });
    after(() => {
      if (given === undefined) delete process.env.ROUNDS;
      else process.env.ROUNDS = given;
    });
    suites('A standalone MongoDB', mongoForTests('--standalone'), process.env.LONG !== undefined);
  });
};
