import { expect } from 'chai';
import { auditStoreIndexes, makeMongoAuditStore } from '../../../../adapters/mongodb/audit-store.ts';
import { makeMongoCustomerLinks } from '../../../../adapters/mongodb/customer-links.ts';
import type { MongoDatabase } from '../../../../adapters/mongodb/engine/client.ts';
import { makeMongoEventLedger } from '../../../../adapters/mongodb/event-ledger.ts';
import { makeMongoLeases } from '../../../../adapters/mongodb/leases.ts';
import { makeMongoOutboxStore } from '../../../../adapters/mongodb/outbox-store.ts';
import { following, headAfter, NOW, sampleAuditRow, sampleMail } from '../../../contracts/samples.ts';
import { mongoForTests } from '../opened.ts';
import { losingAnswers } from './losing-answers.ts';

describe('A MongoDB store that never hears the first answer', () => {
  const mongo = mongoForTests();
  let database: MongoDatabase;
  let close: () => Promise<void>;
  beforeEach(async () => {
    const opened = await mongo.open(auditStoreIndexes);
    close = opened.close;
    database = losingAnswers(opened.database);
  });
  afterEach(() => close());

  it('begins and appends to the audit log once, and says so', async () => {
    const audit = makeMongoAuditStore(database);
    const rows = [1, 2, 3].map((number) => sampleAuditRow(number));
    const [first = sampleAuditRow(1), ...others] = rows;
    expect(await audit.appendFirst(first, headAfter(first))).to.equal(true);
    expect(await audit.append(following(...others))).to.equal(true);
    expect(await audit.list(1, 10)).to.deep.equal(rows);
    expect(await audit.eraseAbout('user', [])).to.equal(3);
  });

  it('claims a mail with one try', async () => {
    const outbox = makeMongoOutboxStore(database);
    await outbox.add('user', sampleMail('a'));
    expect(await outbox.claim('a', 1)).to.equal(true);
    expect(await outbox.listFor(sampleMail('a').to)).to.have.nested.property('[0].tries', 1);
    expect(await outbox.retry('a', NOW)).to.equal(1);
  });

  it('takes a lease, and renews it, under one fence', async () => {
    const leases = makeMongoLeases(database, { now: () => NOW });
    for (const _ of ['taken', 'renewed'])
      expect(await leases.take('relay', 'a', 1_000)).to.deep.equal({ name: 'relay', fence: 1 });
    await leases.release('relay', 'a');
    expect(await leases.take('relay', 'b', 1_000)).to.deep.equal({ name: 'relay', fence: 2 });
  });

  it('takes a delivery as new, counts a try of it once, and has it replayed', async () => {
    const ledger = makeMongoEventLedger(database);
    expect(await ledger.add({ id: 'a', body: '{}' }, NOW)).to.equal(true);
    await ledger.move('a', { state: 'pending', dueAt: NOW, failure: 'failed' });
    expect(await ledger.listDue(NOW, 10)).to.have.nested.property('[0].tries', 1);
    await ledger.move('a', { state: 'dead', failure: 'failed', userId: null });
    expect(await ledger.retry('a', NOW)).to.equal(1);
  });

  it('links a customer as new, and anew', async () => {
    const links = makeMongoCustomerLinks(database);
    expect(await links.link('customer', 'one')).to.equal(true);
    expect(await links.link('customer', 'other')).to.equal(true);
    expect(await links.link('customer', 'other')).to.equal(false);
  });
});
