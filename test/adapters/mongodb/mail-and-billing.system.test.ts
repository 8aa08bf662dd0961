import { customerLinksIndexes, makeMongoCustomerLinks } from '../../../adapters/mongodb/customer-links.ts';
import { eventLedgerIndexes, makeMongoEventLedger } from '../../../adapters/mongodb/event-ledger.ts';
import { leasesIndexes, makeMongoLeases } from '../../../adapters/mongodb/leases.ts';
import {
  makeMongoOutboxStore,
  makeMongoWebhookStore,
  outboxStoreIndexes,
} from '../../../adapters/mongodb/outbox-store.ts';
import { makeMongoRateStore, rateStoreIndexes } from '../../../adapters/mongodb/rate-store.ts';
import { customerLinksContract } from '../../contracts/customer-links.ts';
import { eventLedgerContract } from '../../contracts/event-ledger.ts';
import { leasesContract, makeSettableClock } from '../../contracts/leases.ts';
import { outboxStoreContract } from '../../contracts/outbox-store.ts';
import { rateStoreContract } from '../../contracts/rate-store.ts';
import { webhookStoreContract } from '../../contracts/webhook-store.ts';
import { onEachMongo } from './opened.ts';

onEachMongo((name, { openedStore, explainsAll }) => {
  outboxStoreContract(name, openedStore(outboxStoreIndexes, makeMongoOutboxStore));
  webhookStoreContract(name, openedStore(outboxStoreIndexes, makeMongoWebhookStore));
  eventLedgerContract(name, openedStore(eventLedgerIndexes, makeMongoEventLedger));
  customerLinksContract(name, openedStore(customerLinksIndexes, makeMongoCustomerLinks));
  rateStoreContract(name, openedStore(rateStoreIndexes, makeMongoRateStore));
  leasesContract(name, async () => {
    const clock = makeSettableClock();
    const make = openedStore(leasesIndexes, (database) => makeMongoLeases(database, clock));
    return { clock, ...(await make()) };
  });
  explainsAll();
});
