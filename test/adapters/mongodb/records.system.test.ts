import { mongoPorts } from '../../../adapters/mongodb/ports.ts';
import { storeSuites } from '../store-suites.ts';
import { indexesOf, onEachMongo } from './opened.ts';

const INDEXES = indexesOf('audit', 'outbox', 'webhooks', 'billing_events', 'billing_customers');

onEachMongo((name, mongo) => {
  const open = mongo.openedStore(INDEXES, (database) => database);
  storeSuites(
    name,
    async (clock) => {
      const { store: database, close } = await open();
      return { ports: mongoPorts(database, { clock }), close };
    },
    { only: ['outbox', 'webhooks', 'audit', 'ledger', 'links', 'rates', 'leases', 'statistics', 'findings'] },
  );
  mongo.explainsAll();
  mongo.usesEveryIndex(INDEXES);
});
