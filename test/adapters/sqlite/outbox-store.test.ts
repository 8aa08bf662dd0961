import { makeSqliteOutboxStore, makeSqliteWebhookStore } from '../../../adapters/sqlite/outbox-store.ts';
import { outboxStoreContract } from '../../contracts/outbox-store.ts';
import { webhookStoreContract } from '../../contracts/webhook-store.ts';
import { openedStore } from './opened.ts';

outboxStoreContract('SQLite', openedStore(makeSqliteOutboxStore));
webhookStoreContract('SQLite', openedStore(makeSqliteWebhookStore));
