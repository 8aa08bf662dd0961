import { expect } from 'chai';
import type { Document } from 'mongodb';
import { makeMongoAuditStore } from '../../../adapters/mongodb/audit-store.ts';
import type { MongoDatabase } from '../../../adapters/mongodb/engine/client.ts';
import { createAccounts } from '../../../core/index.ts';
import { race } from '../../contracts/race.ts';
import { openPorts } from '../../core/accounts/open-core.ts';
import { indexesOf, mongoForTests } from './opened.ts';

const BY = { actor: 'operator:cli' };

describe('The audit log in MongoDB', () => {
  const mongo = mongoForTests();
  const database = mongo.useDatabase(indexesOf('audit'));
  let operate: ReturnType<typeof operateOn>;

  const operateOn = (on: MongoDatabase) =>
    createAccounts({ ...openPorts().ports, audit: makeMongoAuditStore(on) }).operate;
  const record = (row: number, on = operate) => on.record('key.made', `key:${row}`, { row }, BY);

  // One block of the first two rows, and one each of the next two.
  beforeEach(async () => {
    operate = operateOn(database());
    for (const row of [2, 3, 4]) await record(row);
  });

  const blocks = () => database().collection<Document & { _id: number }>('audit');
  const heads = () => database().collection<Document & { _id: string }>('audit_head');
  const keptHead = async () => (await heads().findOne({}, { projection: { _id: 0 } })) ?? {};
  const headsInBlocks = () => blocks().countDocuments({ head: { $exists: true } });
  const readLog = async (head?: string) => {
    const { broken } = await operate.verifyAudit(head);
    return broken && { number: broken.number, fault: broken.fault };
  };

  it('is whole, and has its newest head in one place alone', async () => {
    expect(await operate.verifyAudit()).to.deep.include({ intact: true, rows: 4, broken: null });
    expect(await blocks().distinct('_id')).to.deep.equal([1, 3, 4]);
    expect(await keptHead()).to.include({ number: 4 });
    expect([await heads().countDocuments(), await headsInBlocks()]).to.deep.equal([1, 0]);
  });

  it('takes what two processes write at once, each entry once and in one chain', async () => {
    const secondServer = await mongo.connectAgain(database());
    const both = [operate, operateOn(secondServer)];
    await race(40, (place) => record(place + 5, both[place % 2]));
    await secondServer.close();
    expect(await operate.verifyAudit()).to.deep.include({ intact: true, rows: 44, broken: null });
    expect([await heads().countDocuments(), await headsInBlocks()]).to.deep.equal([1, 0]);
  });

  describe('where a process died while it appended', () => {
    /** Puts the heads that stood after these rows back into their blocks. */
    const putBack = async (given: readonly Document[]) => {
      for (const head of given) await blocks().updateOne({ _id: head.number }, { $set: { head } });
    };
    const died: Readonly<Record<string, (third: Document, fourth: Document) => Promise<unknown>>> = {
      'before the head was set': async (third, fourth) => {
        await putBack([fourth]);
        await heads().updateOne({}, { $set: third });
      },
      'before there was a document for the head': async (_, fourth) => {
        await putBack([fourth]);
        await heads().deleteMany({});
      },
      'before the head went from its block': (_, fourth) => putBack([fourth]),
      'as another had before it': async (third, fourth) => {
        await putBack([third, fourth]);
        await heads().updateOne({}, { $set: { ...third, number: 2 } });
      },
    };
    for (const [when, die] of Object.entries(died)) {
      it(`is whole, and goes on so (${when})`, async () => {
        const fourth = await keptHead();
        await record(5);
        const fifth = await keptHead();
        await blocks().updateOne({ _id: 5 }, { $set: { head: fifth } });
        await die({ ...fourth, number: 4 }, { ...fifth, number: 5 });
        expect(await operate.verifyAudit()).to.deep.include({ intact: true, rows: 5 });
        await record(6);
        expect(await operate.verifyAudit()).to.deep.include({ intact: true, rows: 6 });
        expect(await keptHead()).to.include({ number: 6 });
        expect([await heads().countDocuments(), await headsInBlocks()]).to.deep.equal([1, 0]);
      });
    }
  });

  it('shows that its end was cut off, and with a noted head also when an old one was put back', async () => {
    const old = await keptHead();
    await record(5);
    const { head: noted } = await operate.verifyAudit();
    await blocks().deleteOne({ _id: 5 });
    expect(await readLog()).to.deep.equal({ number: 5, fault: 'cut off' });
    await heads().updateOne({}, { $set: old });
    expect(await readLog(noted ?? '')).to.deep.equal({ number: 5, fault: 'cut off' });
    await heads().deleteMany({});
    expect(await readLog()).to.deep.equal({ number: 4, fault: 'cut off' });
  });

  const tampered: Readonly<Record<string, readonly [() => Promise<unknown>, number, string]>> = {
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
    'a row was taken out of a block': [
      () => blocks().updateOne({ _id: 1 }, { $pop: { rows: 1 } }),
      2,
      'removed',
    ],
    'a block was removed': [() => blocks().deleteOne({ _id: 3 }), 3, 'removed'],
    'a block was put before the first': [() => putIn(-7), -7, 'altered'],
    'a block was put between two rows': [() => putIn(2), 2, 'altered'],
    'a block was put between two numbers': [() => putIn(3.5), 3.5, 'altered'],
    'a block was put behind the last': [() => putIn(4_000), 5, 'removed'],
    'a row was added to a block': [
      async () => {
        const [row] = (await blocks().findOne({ _id: 3 }))?.rows ?? [];
        await blocks().updateOne({ _id: 3 }, { $push: { rows: row } });
      },
      4,
      'altered',
    ],
  };
  const putIn = async (number: number) => {
    const block = await blocks().findOne({ _id: 3 });
    await blocks().insertOne({ ...block, _id: number });
  };
  for (const [what, [tamper, number, fault]] of Object.entries(tampered)) {
    it(`shows that ${what}`, async () => {
      await tamper();
      expect(await readLog()).to.deep.equal({ number, fault });
    });
  }

  it('ends no page between rows of one number, so that verification sees each', async () => {
    const audit = makeMongoAuditStore(database());
    await putIn(2);
    const numbers = async (from: number, limit: number) =>
      (await audit.list(from, limit)).map(({ number }) => number);
    expect(await numbers(Number.NEGATIVE_INFINITY, 2)).to.deep.equal([1, 2, 2]);
    expect(await numbers(2, 1)).to.deep.equal([2, 2]);
    expect(await numbers(3, 1)).to.deep.equal([3]);
  });

  it('empties rows where they stand among others, and stays whole for it', async () => {
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
