import { expect } from 'chai';
import { auditStoreIndexes, makeMongoAuditStore } from '../../../../adapters/mongodb/audit-store.ts';
import { customerLinksIndexes, makeMongoCustomerLinks } from '../../../../adapters/mongodb/customer-links.ts';
import { eventLedgerIndexes, makeMongoEventLedger } from '../../../../adapters/mongodb/event-ledger.ts';
import { makeMongoKeyValueStore } from '../../../../adapters/mongodb/key-value-store.ts';
import { makeMongoLeases } from '../../../../adapters/mongodb/leases.ts';
import {
  makeMongoOutboxStore,
  makeMongoWebhookStore,
  outboxStoreIndexes,
} from '../../../../adapters/mongodb/outbox-store.ts';
import { makeMongoStatistics } from '../../../../adapters/mongodb/statistics.ts';
import { following, NOW, sampleAuditRow, sampleDelivery, sampleMail } from '../../../contracts/samples.ts';
import { sampleDay } from '../../../contracts/statistics.ts';
import { indexNames, serves, watchPlans } from './plans.ts';

const INDEXES = {
  ...auditStoreIndexes,
  ...outboxStoreIndexes,
  ...eventLedgerIndexes,
  ...customerLinksIndexes,
};

/** Each leads to something; who drops one or adds one says so here. */
const USED = [
  ...['audit.actor', 'audit.entry', 'audit.head'],
  ...['audit.target', 'billing_customers.user', 'billing_events.customer'],
  ...['billing_events.due', 'billing_events.newest', 'billing_events.newest_of_standing'],
  ...['billing_events.newest_of_user', 'billing_events.received'],
  ...['outbox.address', 'outbox.dead', 'outbox.due', 'outbox.failing', 'outbox.untried', 'outbox.user'],
  ...['outbox.waiting', 'webhooks.address', 'webhooks.due', 'webhooks.waiting'],
];

describe('The queries for mails, deliveries and the audit log in MongoDB', () => {
  const plans = watchPlans(INDEXES);

  it('are answered out of an index, in its order, for mails', async () => {
    const outbox = makeMongoOutboxStore(plans.database());
    await outbox.add('user', sampleMail('a'));
    for (const call of [
      () => outbox.listDue(NOW, 10),
      () => outbox.listFor('someone@example.com'),
      () => outbox.claim('a', 1),
      () => outbox.postpone('a', { from: NOW, until: NOW }, 'timeout'),
      () => outbox.list('a', 10),
      () => outbox.listOf('user'),
      () => outbox.listByState('waiting', null, 10),
      () => outbox.listByState('failing', 'a', 10),
      () => outbox.listByState('dead', 'a', 10),
      () => outbox.retry('a', NOW),
      () => outbox.retry(null, NOW),
      () => outbox.bury('a', NOW, 'refused'),
      () => outbox.removeFor('user', 'account-deleted'),
      () => outbox.remove('a'),
    ])
      await plans.expectIndexed(call);
  });

  it('are answered out of an index, in its order, for events on their way', async () => {
    const webhooks = makeMongoWebhookStore(plans.database());
    await webhooks.add('user', sampleDelivery('a'));
    for (const call of [
      () => webhooks.listDue(NOW, 10, 'endpoint'),
      () => webhooks.listFor('someone@example.com'),
      () => webhooks.list('a', 10),
      () => webhooks.retry(null, NOW),
    ])
      await plans.expectIndexed(call);
  });

  it('are answered out of an index, in its order, for deliveries and customers', async () => {
    const ledger = makeMongoEventLedger(plans.database());
    const links = makeMongoCustomerLinks(plans.database());
    for (const id of ['a', 'b']) await ledger.add({ id, body: '' }, NOW);
    await ledger.move('b', { state: 'applied', userId: null });
    for (const call of [
      () => ledger.listDue(NOW, 10),
      () => ledger.move('a', { state: 'pending', dueAt: NOW, failure: 'failed' }),
      () => ledger.move('a', { state: 'waiting', customerId: 'customer' }),
      () => ledger.release('customer', NOW),
      () => ledger.retry(null, NOW),
      () => ledger.count('dead'),
      () => ledger.findState('a'),
      () => ledger.list({}, null, 10),
      () => ledger.list({}, { id: 'a', receivedAt: NOW }, 10),
      () => ledger.list({ standing: 'dead' }, null, 10),
      () => ledger.list({ standing: 'dead' }, { id: 'a', receivedAt: NOW }, 10),
      () => ledger.listOf('user', 10),
      () => ledger.eraseOf('user', ['customer']),
      () => ledger.sweep(NOW + 1, 10),
      () => links.find('customer'),
      () => links.link('customer', 'user'),
      () => links.remove('user'),
    ])
      await plans.expectIndexed(call);
  });

  it('are answered out of an index, in its order, for the audit log and leases', async () => {
    const audit = makeMongoAuditStore(plans.database());
    const rows = [sampleAuditRow(1), sampleAuditRow(2)];
    for (const call of [
      () => audit.append(following(...rows)),
      () => audit.head(),
      () => audit.listExisting(['entry 1']),
      () => audit.list(2, 10),
      () => audit.listAbout('user', 2, 10),
      () => audit.listBack(Number.POSITIVE_INFINITY, 10),
      () => audit.listBack(2, 10, { id: 'user', as: 'target' }),
      () => audit.listBack(2, 10, { id: 'user', as: 'actor' }),
      () => audit.listBack(2, 10, { id: 'user', as: 'either' }),
      () => audit.eraseAbout('user', ['entry 2']),
      () => makeMongoLeases(plans.database(), { now: () => NOW }).release('relay', 'a'),
    ])
      await plans.expectIndexed(call);
  });

  it('are answered out of an index, in its order, for statistics and findings', async () => {
    const statistics = makeMongoStatistics(plans.database());
    const findings = makeMongoKeyValueStore(plans.database());
    await findings.put('one', {}, 0);
    for (const call of [
      () => statistics.put(sampleDay('2026-01-01')),
      () => statistics.sweep('2025-01-01'),
      () => statistics.add('2026-01-01', { cacheHits: 1, cacheMisses: 0 }),
      () => statistics.list('2026-01-01', 10),
      () => findings.put('one', {}, 1),
      () => findings.find('one'),
    ])
      await plans.expectIndexed(call);
  });

  it('are seen when they are not', async () => {
    const due = { standing: 1, dueAt: 1, _id: 1 };
    const pending = { standing: { $eq: 'pending' } };
    expect(serves(due, { filter: pending, sort: { dueAt: -1, _id: -1 } })).to.equal(true);
    expect(serves(due, { filter: pending, sort: { dueAt: 1, _id: -1 } })).to.equal(false);
    expect(serves(due, { filter: pending, sort: { receivedAt: 1 } })).to.equal(false);
    expect(serves(due, { filter: { dueAt: { $lte: NOW } }, sort: {} })).to.equal(false);
    const scan = () =>
      plans
        .database()
        .collection('outbox')
        .find({ fence: { $gt: 0 } })
        .toArray();
    const failure = await plans.expectIndexed(scan).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.have.property('name', 'AssertionError');
  });

  it('use every index', () => {
    expect(indexNames(INDEXES)).to.deep.equal(USED);
    expect(plans.usedIndexes()).to.deep.equal(USED);
  });
});
