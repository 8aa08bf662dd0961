import { makeSqliteFlowStore } from '../../../adapters/sqlite/sign-in/flow-store.ts';
import { flowStoreContract } from '../../contracts/flows.ts';
import { openedStore } from './opened.ts';

flowStoreContract('SQLite', openedStore(makeSqliteFlowStore));
