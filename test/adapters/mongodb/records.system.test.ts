import { auditStoreIndexes } from '../../../adapters/mongodb/audit-store.ts';
import { customerLinksIndexes } from '../../../adapters/mongodb/customer-links.ts';
import { eventLedgerIndexes } from '../../../adapters/mongodb/event-ledger.ts';
import { outboxStoreIndexes } from '../../../adapters/mongodb/outbox-store.ts';
import { mongoPorts } from '../../../adapters/mongodb/ports.ts';
import { storeSuites } from '../store-suites.ts';
import { onEachMongo } from './opened.ts';

const INDEXES = {
  ...{ ...auditStoreIndexes, ...outboxStoreIndexes, ...eventLedgerIndexes, ...customerLinksIndexes },
  ...{ rates: [], leases: [], statistics: [], findings: [] },
};

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
