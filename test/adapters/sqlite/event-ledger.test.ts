import { makeSqliteEventLedger } from '../../../adapters/sqlite/event-ledger.ts';
import { eventLedgerContract } from '../../contracts/event-ledger.ts';
import { openedStore } from './opened.ts';

eventLedgerContract('SQLite', openedStore(makeSqliteEventLedger));
