import { makeSqlFlowStore } from '../../../adapters/sql/flow-store.ts';
import { flowStoreContract } from '../../contracts/flows.ts';
import { openedStore } from './opened.ts';

flowStoreContract('SQLite', openedStore(makeSqlFlowStore));
