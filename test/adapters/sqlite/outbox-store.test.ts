import { makeSqliteOutboxStore } from '../../../adapters/sqlite/outbox-store.ts';
import { outboxStoreContract } from '../../contracts/outbox-store.ts';
import { openedStore } from './opened.ts';

outboxStoreContract('SQLite', openedStore(makeSqliteOutboxStore));
