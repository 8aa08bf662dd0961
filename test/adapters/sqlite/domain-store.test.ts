import { makeSqliteDomainStore } from '../../../adapters/sqlite/domain-store.ts';
import { domainStoreContract } from '../../contracts/domain-store.ts';
import { openedStore } from './opened.ts';

domainStoreContract('SQLite', openedStore(makeSqliteDomainStore));
