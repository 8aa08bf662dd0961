import { mongoPorts } from '../../../adapters/mongodb/ports.ts';
import { storeSuites } from '../store-suites.ts';
import { indexesOf, onEachMongo } from './mongo-for-tests.ts';

const INDEXES = indexesOf('audit', 'outbox', 'webhooks', 'billing_events', 'billing_customers');

onEachMongo((name, mongo, isFull) => {
  const openStore = mongo.makePortsOpener(INDEXES, (database, clock) => mongoPorts(database, { clock }));
  storeSuites(name, openStore, { only: ['audit', 'leases'] });
  if (isFull) {
    storeSuites(name, openStore, {
      only: ['outbox', 'webhooks', 'ledger', 'links', 'rates', 'statistics', 'jobResults'],
    });
    mongo.checkIndexes(INDEXES);
  }
  mongo.checkPlans();
});
