import { expect } from 'chai';
import type { Document } from 'mongodb';
import { makeMongoAuditStore } from '../../../adapters/mongodb/audit-store.ts';
import type { MongoDatabase } from '../../../adapters/mongodb/engine/client.ts';
import { createAccounts } from '../../../core/index.ts';
import { race } from '../../contracts/race.ts';
import { openPorts } from '../../core/accounts/open-core.ts';
import { indexesOf, mongoForTests } from './mongo-for-tests.ts';

const BY = { actor: 'operator:cli' };

describe('The audit log in MongoDB', () => {
  const mongo = mongoForTests();
  const database = mongo.useDatabase(indexesOf('audit'));
  let operate: ReturnType<typeof operateOn>;

  const operateOn = (server: MongoDatabase) =>
    createAccounts({ ...openPorts().ports, audit: makeMongoAuditStore(server) }).operate;
  const record = (row: number, admin = operate) => admin.record('key.made', `key:${row}`, { row }, BY);

  // The first two rows share a block; the next two have a block each.
  beforeEach(async () => {
    operate = operateOn(database());
    for (const row of [2, 3, 4]) await record(row);
  });

  const blocks = () => database().collection<Document & { _id: number }>('audit');
  const heads = () => database().collection<Document & { _id: string }>('audit_head');
  const storedHead = async () => (await heads().findOne({}, { projection: { _id: 0 } })) ?? {};
  const headsInBlocks = () => blocks().countDocuments({ head: { $exists: true } });
  const readLog = async (head?: string) => {
    const { broken } = await operate.verifyAudit(head);
    return broken && { number: broken.number, fault: broken.fault };
  };

  it('is intact, and stores its newest head in one place only', async () => {
    expect(await operate.verifyAudit()).to.deep.include({ intact: true, rows: 4, broken: null });
    expect(await blocks().distinct('_id')).to.deep.equal([1, 3, 4]);
    expect(await storedHead()).to.include({ number: 4 });
    expect([await heads().countDocuments(), await headsInBlocks()]).to.deep.equal([1, 0]);
  });

  it('stores each row that two processes write at once, in one chain', async () => {
    const secondServer = await mongo.connectAgain(database());
    const both = [operate, operateOn(secondServer)];
    await race(40, (place) => record(place + 5, both[place % 2]));
    await secondServer.close();
    expect(await operate.verifyAudit()).to.deep.include({ intact: true, rows: 44, broken: null });
    expect([await heads().countDocuments(), await headsInBlocks()]).to.deep.equal([1, 0]);
  });

  describe('after a process died during an append', () => {
    /** Puts each head back into the block of its row. */
    const putBack = async (oldHeads: readonly Document[]) => {
      for (const head of oldHeads) await blocks().updateOne({ _id: head.number }, { $set: { head } });
    };
    const crashes: Readonly<Record<string, (previous: Document, newest: Document) => Promise<unknown>>> = {
      'before the head was set': async (previous, newest) => {
        await putBack([newest]);
        await heads().updateOne({}, { $set: previous });
      },
      'before the head had a document': async (_, newest) => {
        await putBack([newest]);
        await heads().deleteMany({});
      },
      'before the head was removed from its block': (_, newest) => putBack([newest]),
      'before the head was set, like a process before it': async (previous, newest) => {
        await putBack([previous, newest]);
        await heads().updateOne({}, { $set: { ...previous, number: 2 } });
      },
    };
    for (const [when, crash] of Object.entries(crashes)) {
      it(`is intact, also after the next append (${when})`, async () => {
        const previous = await storedHead();
        await record(5);
        const newest = await storedHead();
        await blocks().updateOne({ _id: 5 }, { $set: { head: newest } });
        await crash({ ...previous, number: 4 }, { ...newest, number: 5 });
        expect(await operate.verifyAudit()).to.deep.include({ intact: true, rows: 5 });
        await record(6);
        expect(await operate.verifyAudit()).to.deep.include({ intact: true, rows: 6 });
        expect(await storedHead()).to.include({ number: 6 });
        expect([await heads().countDocuments(), await headsInBlocks()]).to.deep.equal([1, 0]);
      });
    }
  });

  it('reports a cut-off end, also behind an old head if the newest head was recorded', async () => {
    const old = await storedHead();
    await record(5);
    const { head: recordedHead } = await operate.verifyAudit();
    await blocks().deleteOne({ _id: 5 });
    expect(await readLog()).to.deep.equal({ number: 5, fault: 'cut off' });
    await heads().updateOne({}, { $set: old });
    expect(await readLog(recordedHead ?? '')).to.deep.equal({ number: 5, fault: 'cut off' });
    await heads().deleteMany({});
    expect(await readLog()).to.deep.equal({ number: 4, fault: 'cut off' });
  });

  const changes: Readonly<Record<string, readonly [() => Promise<unknown>, number, string]>> = {
    'a row was altered': [
      () => blocks().updateOne({ _id: 1 }, { $set: { 'rows.1.content': '{}' } }),
      2,
      'altered',
    ],
    'a row was emptied': [
      () => blocks().updateOne({ _id: 3 }, { $set: { 'rows.0.content': null, 'rows.0.salt': null } }),
      3,
      'altered',
    ],
    'a row was removed from a block': [
      () => blocks().updateOne({ _id: 1 }, { $pop: { rows: 1 } }),
      2,
      'removed',
    ],
    'a block was removed': [() => blocks().deleteOne({ _id: 3 }), 3, 'removed'],
    'a block was inserted before the first': [() => insertBlock(-7), -7, 'altered'],
    'a block was inserted between two rows': [() => insertBlock(2), 2, 'altered'],
    'a block was inserted between two numbers': [() => insertBlock(3.5), 3.5, 'altered'],
    'a block was inserted after the last': [() => insertBlock(4_000), 5, 'removed'],
    'a row was added to a block': [
      async () => {
        const [row] = (await blocks().findOne({ _id: 3 }))?.rows ?? [];
        await blocks().updateOne({ _id: 3 }, { $push: { rows: row } });
      },
      4,
      'altered',
    ],
  };
  const insertBlock = async (number: number) => {
    const block = await blocks().findOne({ _id: 3 });
    await blocks().insertOne({ ...block, _id: number });
  };
  for (const [change, [tamper, number, fault]] of Object.entries(changes)) {
    it(`reports that ${change}`, async () => {
      await tamper();
      expect(await readLog()).to.deep.equal({ number, fault });
    });
  }

  it('lists all rows of one number on one page, so that verification reads each of them', async () => {
    const audit = makeMongoAuditStore(database());
    await insertBlock(2);
    const numbers = async (from: number, limit: number) =>
      (await audit.list(from, limit)).map(({ number }) => number);
    expect(await numbers(Number.NEGATIVE_INFINITY, 2)).to.deep.equal([1, 2, 2]);
    expect(await numbers(2, 1)).to.deep.equal([2, 2]);
    expect(await numbers(3, 1)).to.deep.equal([3]);
  });

  it('empties erased rows in place, and leaves all others unchanged', async () => {
    const audit = makeMongoAuditStore(database());
    await race(8, (place) => record(place % 2 === 0 ? 50 : place));
    const before = await audit.list(1, 100);
    expect(await audit.eraseAbout('key:50', [before.at(-2)?.entryId ?? ''])).to.equal(3);
    const after = await audit.list(1, 100);
    const emptied = before.filter(({ target }) => target === 'key:50').slice(0, 3);
    expect(after).to.deep.equal(
      before.map((row) => (emptied.includes(row) ? { ...row, content: null, salt: null } : row)),
    );
  });
});
