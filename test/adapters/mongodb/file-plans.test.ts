import { expect } from 'chai';
import { type Document, MongoClient } from 'mongodb';
import type { MongoDatabase } from '../../../adapters/mongodb/client.ts';
import { makeMongoFileActivity } from '../../../adapters/mongodb/file-activity.ts';
import { fileIndexes, makeMongoFileStore } from '../../../adapters/mongodb/file-store.ts';
import { makeMongoObjects, objectIndexes } from '../../../adapters/mongodb/object-store.ts';
import { type Indexes, makeIndexes } from '../../../adapters/mongodb/schema.ts';
import { makeMongoSealedFiles } from '../../../adapters/mongodb/sealed-files.ts';
import { fileId, sampleFile } from '../../contracts/sample-files.ts';
import { NOW } from '../../contracts/samples.ts';
import { mongoForTests } from './opened.ts';

const INDEXES: Indexes = { ...fileIndexes, ...objectIndexes };
const PLACE = { uploadedAt: NOW, id: fileId(7) };
const RANK = { accesses: 3, accessedAt: NOW, id: fileId(7) };
const ENTRY = { id: fileId(1), entry: sampleFile(1).entry };

/** The filters of a command, and the orders that it wants with them. */
const questionsOf = (
  command: Document,
): readonly { readonly filter: Document; readonly sort: Document }[] => {
  if (command.find) return [{ filter: command.filter, sort: command.sort ?? {} }];
  if (command.aggregate) return [{ filter: command.pipeline[0].$match, sort: {} }];
  const statements: readonly Document[] = command.updates ?? command.deletes ?? [];
  return statements.map(({ q }) => ({ filter: q, sort: {} }));
};

const isFixed = (condition: unknown): boolean =>
  typeof condition === 'object' && condition !== null && '$eq' in condition;

/** Whether an index leads to what is asked for, in the order in which it is wanted. */
const serves = (keys: Document, filter: Document, sort: Document): boolean => {
  const fields = Object.keys(keys);
  const [first = ''] = fields;
  if (!(first in filter)) return false;
  const ordered = fields.filter((field) => !(field in sort ? false : isFixed(filter[field])));
  return Object.keys(sort).every((field, place) => ordered[place] === field && keys[field] === sort[field]);
};

describe('The queries for files in MongoDB', () => {
  let client: MongoClient;
  let database: MongoDatabase;
  let asked: Document[];

  // Goes first, while the server is there.
  after(async () => {
    await client.db().dropDatabase();
    await client.close();
  });

  const mongo = mongoForTests();

  before(async () => {
    client = new MongoClient(mongo.url('gatehouse-test-plans'), { monitorCommands: true });
    const db = client.db();
    database = {
      collection: (name) => db.collection(name),
      call: (work) => work(0),
      isUp: async () => true,
      client,
      close: () => client.close(),
    };
    await makeIndexes(database, INDEXES);
    client.on('commandStarted', ({ command }) => asked.push(command));
  });

  beforeEach(() => {
    asked = [];
  });

  const isScan = async (command: Document): Promise<boolean> => {
    const { lsid, $db, $clusterTime, ...plain } = command;
    return JSON.stringify(await client.db().command({ explain: plain })).includes('COLLSCAN');
  };

  /** Some servers say of every filter with two conditions that it takes a scan, whatever they do. */
  const explainsTruly = async () =>
    !(await isScan({ find: 'files', filter: { _id: { $eq: 'x' }, removed: { $eq: false } } }));

  const expectIndexed = async (call: () => Promise<unknown>) => {
    await call();
    const commands = asked.filter((command) => questionsOf(command).length > 0);
    expect(commands).not.to.deep.equal([]);
    for (const command of commands) {
      const name = String(command.find ?? command.aggregate ?? command.update ?? command.delete);
      const known = [{ _id: 1 }, ...(INDEXES[name] ?? []).map(({ keys }) => keys as Document)];
      for (const { filter, sort } of questionsOf(command)) {
        const shown = `${name} ${JSON.stringify(filter)} ${JSON.stringify(sort)}`;
        expect(
          known.some((keys) => serves(keys, filter, sort)),
          shown,
        ).to.equal(true);
      }
      if (await explainsTruly()) expect(await isScan(command), JSON.stringify(command)).to.equal(false);
    }
  };

  it('are answered out of an index, in its order', async () => {
    const files = makeMongoFileStore(database);
    const activity = makeMongoFileActivity(database);
    const sealed = makeMongoSealedFiles(database);
    await files.add(sampleFile(1));
    for (const call of [
      () => files.find(fileId(1)),
      () => files.findAll([fileId(1), fileId(2)]),
      () => files.list('user', null, 25),
      () => files.list('user', PLACE, 25),
      () => files.listSizes('user', PLACE, 25),
      () => files.has('user'),
      () => files.totals(),
      () => activity.add([{ id: fileId(1), count: 1, lastAt: NOW }]),
      () => activity.list('user', 0, null, 25),
      () => activity.list('user', 0, RANK, 25),
      () => sealed.countByKey(),
      () => sealed.listNotUnder('key', fileId(1), 25),
      () => sealed.replace(ENTRY, { entry: '{}', bytes: 1, keyId: 'next' }),
      () => files.remove(fileId(1)),
      () => files.listRemoved(25),
      () => files.purge([fileId(1)]),
      () => files.removeSome('user', 25),
    ]) {
      asked = [];
      await expectIndexed(call);
    }
  });

  it('of objects are answered out of an index', async () => {
    const objects = makeMongoObjects(database, { now: Date.now });
    // The first time GridFS looks whether it holds anything, for its indexes.
    await objects.put('other/name.png', Buffer.from('x'));
    asked = [];
    await expectIndexed(() => objects.put('user/name.png', Buffer.from('x')));
    await expectIndexed(() => objects.find('user/name.png'));
    await expectIndexed(() => objects.removeAll('user'));
  });

  it('are seen when they are not', () => {
    const [listed = {}] = (fileIndexes.files ?? []).map(({ keys }) => keys as Document);
    const user = { user: { $eq: 'user' } };
    expect(serves(listed, user, { uploadedAt: -1, _id: -1 })).to.equal(true);
    expect(serves(listed, user, { uploadedAt: 1 })).to.equal(false);
    expect(serves(listed, user, { bytes: -1 })).to.equal(false);
    expect(serves(listed, { keyId: { $eq: 'key' } }, {})).to.equal(false);
  });
});
