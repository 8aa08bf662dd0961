import { expect } from 'chai';
import { type Document, MongoClient } from 'mongodb';
import type { MongoDatabase } from '../../../adapters/mongodb/client.ts';
import { type Indexes, makeIndexes } from '../../../adapters/mongodb/schema.ts';
import { mongoForTests } from './opened.ts';

interface Question {
  readonly filter: Document;
  readonly sort: Document;
}

/** The filters of a command, and the orders that it wants with them; each side of an `$or` is one of its own. */
const questionsOf = (command: Document): readonly Question[] => {
  const stages: readonly Document[] = command.pipeline ?? [];
  const [match] = stages;
  const sort = command.sort ?? stages.find(({ $sort }) => $sort !== undefined)?.$sort ?? {};
  const statements: readonly Document[] = command.updates ?? command.deletes ?? [];
  const filters = [command.filter, command.query, match?.$match, ...statements.map(({ q }) => q)];
  return filters
    .filter((filter) => filter !== undefined)
    .flatMap(({ $or: sides = [{}], ...filter }: Document) =>
      sides.map((side: Document) => ({ filter: { ...filter, ...side }, sort })),
    );
};

const isFixed = (condition: unknown): boolean =>
  typeof condition === 'object' && condition !== null && '$eq' in condition;

/** Whether an index leads to what is asked for, in the order in which it is wanted, forwards or backwards. */
export const serves = (keys: Document, { filter, sort }: Question): boolean => {
  const fields = Object.keys(keys);
  if (!((fields[0] ?? '') in filter)) return false;
  const ordered = fields.filter((field) => field in sort || !isFixed(filter[field]));
  const wanted = Object.entries(sort);
  const isServed = (way: number) =>
    wanted.every(([field, order], place) => ordered[place] === field && keys[field] === order * way);
  return isServed(1) || isServed(-1);
};

/** A database whose commands are looked at. Call it inside `describe`. */
export const watchPlans = (indexes: Indexes) => {
  let client: MongoClient;
  let database: MongoDatabase | undefined;
  let asked: Document[] = [];

  // Goes first, while the server is there.
  after(() => database?.close());
  const mongo = mongoForTests();

  before(async () => {
    client = new MongoClient(mongo.url('gatehouse-test-plans'), { monitorCommands: true });
    const db = client.db();
    database = {
      collection: (name) => db.collection(name),
      call: (work) => work(0),
      isUp: async () => true,
      client,
      close: async () => {
        await db.dropDatabase();
        await client.close();
      },
    };
    await makeIndexes(database, indexes);
    client.on('commandStarted', ({ command }) => asked.push(command));
  });

  const isScan = async ({ lsid, $db, $clusterTime, ...plain }: Document): Promise<boolean> =>
    /"stage":"(COLLSCAN|SORT)"/.test(JSON.stringify(await client.db().command({ explain: plain })));

  /** Fails for a command of the call's that no index serves. */
  const expectIndexed = async (call: () => Promise<unknown>): Promise<void> => {
    asked = [];
    await call();
    const commands = asked.filter((command) => questionsOf(command).length > 0);
    expect(commands).not.to.deep.equal([]);
    // Some servers say of most filters that they take a scan, whatever they do.
    const [name = ''] = Object.keys(indexes);
    const isTrue = !(await isScan({ find: name, filter: { _id: { $eq: 'x' }, other: { $eq: 1 } } }));
    for (const command of commands) {
      const collection = String(command.find ?? command.aggregate ?? command.update ?? command.delete);
      const known = [{ _id: 1 }, ...(indexes[collection] ?? []).map(({ keys }) => keys as Document)];
      for (const question of questionsOf(command)) {
        const shown = `${collection} ${JSON.stringify(question)}`;
        expect(
          known.some((keys) => serves(keys, question)),
          shown,
        ).to.equal(true);
      }
      if (isTrue) expect(await isScan(command), JSON.stringify(command)).to.equal(false);
    }
  };

  /** What the call asks for, filter by filter. */
  const filtersOf = async (call: () => Promise<unknown>): Promise<readonly Document[]> => {
    asked = [];
    await call();
    return asked.flatMap(({ filter, pipeline }) => filter ?? pipeline?.[0].$match ?? []);
  };

  return {
    filtersOf,
    database: (): MongoDatabase => {
      if (database === undefined) throw new Error('The database is not open yet.');
      return database;
    },
    expectIndexed,
  };
};
