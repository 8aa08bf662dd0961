import { makeSqlAuditStore } from '../../../adapters/sql/audit-store.ts';
import { auditStoreContract } from '../../contracts/audit-store.ts';
import { openedStore } from './opened.ts';

auditStoreContract('SQLite', openedStore(makeSqlAuditStore));
