import { makeSqlDomainStore } from '../../../adapters/sql/domain-store.ts';
import { domainStoreContract } from '../../contracts/domain-store.ts';
import { openedStore } from './opened.ts';

domainStoreContract('SQLite', openedStore(makeSqlDomainStore));
