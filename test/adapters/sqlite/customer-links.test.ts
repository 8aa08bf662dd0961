import { makeSqliteCustomerLinks } from '../../../adapters/sqlite/customer-links.ts';
import { customerLinksContract } from '../../contracts/customer-links.ts';
import { openedStore } from './opened.ts';

customerLinksContract('SQLite', openedStore(makeSqliteCustomerLinks));
