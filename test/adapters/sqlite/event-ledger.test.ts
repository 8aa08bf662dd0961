import { makeSqlEventLedger } from '../../../adapters/sql/event-ledger.ts';
import { eventLedgerContract } from '../../contracts/event-ledger.ts';
import { openedStore } from './opened.ts';

eventLedgerContract('SQLite', openedStore(makeSqlEventLedger));
