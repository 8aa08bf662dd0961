import { expect } from 'chai';
import { mongoPorts } from '../../../adapters/mongodb/ports.ts';
import { makeMongoTransfer } from '../../../adapters/mongodb/transfer.ts';
import { following, headAfter, sampleAccount, sampleAuditRow } from '../../contracts/samples.ts';
import { transferContract } from '../../contracts/transfer.ts';
import { transferSamples } from '../../contracts/transfer-samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { mongoForTests, onEachMongo } from './mongo-for-tests.ts';

const parts = { clock: { now: () => Date.now() }, log: makeRecordingLog() };

const openOn = async (mongo: ReturnType<typeof mongoForTests>) => {
  // A transfer needs no index, and building them all takes longer than the tests.
  const { database, close } = await mongo.open({});
  const ports = mongoPorts(database, parts);
  return { store: { ports, movable: makeMongoTransfer(database, ports.objects) }, database, close };
};

onEachMongo((name, mongo) => {
  transferContract(name, () => openOn(mongo));
  mongo.checkPlans(
    {
      collection: 'accounts',
      fields: ['account'],
      because: 'A page in the order of the ids skips reserved ids.',
    },
    {
      collection: 'domains',
      fields: ['record'],
      because: 'A page in the order of the ids skips removed domains.',
    },
    ...['audit', 'audit_head', 'tries', 'rates', 'login_keys', 'flows', 'statistics', 'findings'].map(
      (collection) => ({
        collection,
        fields: [],
        because: 'An import empties collections that a first start may have filled.',
      }),
    ),
  );
});

describe('The sections of a transfer from MongoDB', () => {
  const mongo = mongoForTests();
  let opened: Awaited<ReturnType<typeof openOn>>;
  beforeEach(async () => {
    opened = await openOn(mongo);
  });
  afterEach(() => opened.close());

  it('skip documents that only reserve an account id, and domains that were removed', async () => {
    const { database, store } = opened;
    const { accounts, domains } = store.movable.sections;
    const reservedIds = Array.from({ length: 5 }, (_, place) => ({
      _id: `bar ${place}` as never,
      account: null,
      barredAt: new Date(),
    }));
    await database.collection('accounts').insertMany(reservedIds);
    await accounts.write([sampleAccount('z')], 0);
    expect((await accounts.read(null, 2)).map(({ record }) => record.id)).to.deep.equal(['z']);

    const [first, second] = transferSamples().domains;
    if (first === undefined || second === undefined) throw new Error('There are too few samples.');
    await domains.write([first, second], 0);
    await store.ports.customDomains.remove(second.domain, second.revision);
    expect((await domains.read(null, 1)).map(({ record }) => record)).to.deep.equal([first]);
  });

  it('contain the newest head of the audit log, also if a process died before storing it apart', async () => {
    const { database, store } = opened;
    const rows = [1, 2].map((number) => sampleAuditRow(number));
    for (const row of rows) await store.ports.audit.append(following(row));
    await database
      .collection('audit')
      .updateOne({ _id: 2 as never }, { $set: { head: headAfter(sampleAuditRow(2)) } });
    await database.collection('audit_head').deleteMany({});
    const [head] = await store.movable.sections.auditHead.read(null, 1);
    expect(head?.record).to.deep.equal(headAfter(sampleAuditRow(2)));
  });

  it('store an object again if a process died while storing it', async () => {
    const { database, store } = opened;
    const { objects } = store.movable.sections;
    const [object] = transferSamples().objects;
    if (object === undefined) throw new Error('There is no sample.');
    await objects.write([object], 0);
    await database.collection('objects').updateOne({}, { $set: { isReady: false } });
    await objects.write([object], 0);
    expect((await store.ports.objects.find(object.path))?.length).to.equal(1);
  });
});
