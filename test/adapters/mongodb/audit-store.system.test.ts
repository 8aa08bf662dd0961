import { auditStoreIndexes, makeMongoAuditStore } from '../../../adapters/mongodb/audit-store.ts';
import { auditStoreContract } from '../../contracts/audit-store.ts';
import { onEachMongo } from './opened.ts';

onEachMongo((name, { openedStore, explainsAll }) => {
  auditStoreContract(name, openedStore(auditStoreIndexes, makeMongoAuditStore));
  explainsAll();
});
