import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Document, ReadConcern } from 'mongodb';
import { indexes } from '../../../adapters/mongodb/collections.ts';
import { type MongoDatabase, openMongo } from '../../../adapters/mongodb/engine/client.ts';
import { type Indexes, makeIndexes } from '../../../adapters/mongodb/engine/indexes.ts';
import { rounds } from '../../contracts/race.ts';
import { type MongoServer, startMongo } from '../../support/servers/mongo-server.ts';
import { saysHow, scansAmong } from './plans/plans.ts';
import { type Exception, makeQueryShapes, USED_INDEXES } from './plans/query-shapes.ts';

/** The URL with another database, whatever else is in it. */
const withDatabase = (url: string, name: string): string =>
  url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${name}`);

/** The indexes of some collections. */
export const indexesOf = (...names: readonly (keyof typeof indexes)[]): Indexes =>
  Object.fromEntries(names.map((name) => [name, indexes[name]]));

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
    if ((await collection(name).estimatedDocumentCount(OURS)) > FEW) return false;
    await collection(name).deleteMany({}, OURS);
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

/**
 * A server for the tests of a file: the one that `MONGODB_URL` names, or one that is started before the first and ended
 * after the last of them. Call it inside `describe`.
 */
export const mongoForTests = (...options: readonly string[]) => {
  const running = process.env.MONGODB_URL;
  let server: MongoServer | undefined;
  let client: MongoDatabase | undefined;
  const shapes = makeQueryShapes();
  const url = (name: string): string => {
    if (running) return withDatabase(running, name);
    if (server === undefined) throw new Error('The server is not started yet.');
    return server.url(name);
  };

  before(async () => {
    if (!running) server = await startMongo(...options);
    client = await openMongo({ url: patiently(url('unused')), deadline: PATIENCE });
    client.client.on('commandStarted', ({ command }) => {
      if (command.comment !== OURS.comment) shapes.note(command);
    });
  });

  after(async () => {
    // Of a server that runs on; one of ours goes with all it has.
    if (running) for (const { close } of opened) await close();
    await client?.close();
    await server?.end();
  });

  /** Those that may be left. */
  const opened = new Set<Opened>();

  /** A fresh database with these indexes, on the one connection, and how to drop it. */
  const open = async (indexes: Indexes): Promise<Opened> => {
    if (client === undefined) throw new Error('The server is not started yet.');
    const { client: driver, call, isUp } = client;
    const fresh = driver.db(`gatehouse-test-${randomUUID()}`, {
      readConcern: new ReadConcern('majority'),
      writeConcern: { w: 'majority', journal: true },
    });
    const database: MongoDatabase = {
      collection: (name) => fresh.collection(name),
      call,
      isUp,
      client: driver,
      close: async () => undefined,
    };
    await makeIndexes(database, indexes);
    const one: Opened = {
      database,
      close: async () => {
        opened.delete(one);
        await fresh.dropDatabase();
      },
    };
    opened.add(one);
    return one;
  };

  /** A further connection to a database, as another process has. */
  const connectAgain = ({ collection }: MongoDatabase): Promise<MongoDatabase> =>
    openMongo({ url: patiently(url(collection('any').dbName)), deadline: PATIENCE });

  /** What a contract suite opens: a store on an empty database. To empty one is faster than to make its indexes anew. */
  const openedStore = <T>(indexes: Indexes, make: (database: MongoDatabase) => T) => {
    const free: Opened[] = [];
    return async () => {
      const one = free.pop() ?? (await open(indexes));
      const close = async () => {
        if (await emptied(one.database)) free.push(one);
        else await one.close();
      };
      return { store: make(one.database), close };
    };
  };

  /** What the call asks for, filter by filter. */
  const filtersOf = async (call: () => Promise<unknown>): Promise<readonly Document[]> => {
    const asked: Document[] = [];
    const note = ({ command }: { readonly command: Document }) => asked.push(command);
    client?.client.on('commandStarted', note);
    await call();
    client?.client.off('commandStarted', note);
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
        if (client === undefined || !(await saysHow(client.client.db('unused')))) return;
        const { database, close } = await open(indexes);
        const db = client.client.db(database.collection('any').dbName);
        expect(await scansAmong(db, others)).to.deep.equal([]);
        await close();
      });
    });

  /** Looks at the indexes of these collections, of which the suites before are all. Call it last. */
  const usesEveryIndex = (indexes: Indexes) =>
    describe('What the suites asked', () => {
      it('leads through every index, which leaves little to compare', () => {
        const { compared, used } = shapes.uses();
        expect(compared).to.deep.equal([]);
        const isOfThese = (name: string) => name.slice(0, name.lastIndexOf('.')) in indexes;
        expect(used.filter(isOfThese)).to.deep.equal(USED_INDEXES.filter(isOfThese));
        expect(used.filter(isOfThese)).not.to.deep.equal([]);
      });
    });

  return {
    url,
    open,
    connectAgain,
    openedStore,
    filtersOf,
    explainsAll,
    usesEveryIndex,
    shapes,
    server: () => server,
  };
};

/** Runs the suites on a server of each kind that can be started: a replica set of one, and a standalone. */
export const onEachMongo = (
  suites: (name: string, mongo: ReturnType<typeof mongoForTests>) => void,
): void => {
  describe('A MongoDB server', () => suites('MongoDB', mongoForTests()));
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
    suites('A standalone MongoDB', mongoForTests('--standalone'));
  });
};
