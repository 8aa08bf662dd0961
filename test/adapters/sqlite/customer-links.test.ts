import { makeSqlCustomerLinks } from '../../../adapters/sql/customer-links.ts';
import { customerLinksContract } from '../../contracts/customer-links.ts';
import { openedStore } from './opened.ts';

customerLinksContract('SQLite', openedStore(makeSqlCustomerLinks));
