import { makeSqlLoginKeyStore } from '../../../adapters/sql/login-key-store.ts';
import { loginKeyStoreContract } from '../../contracts/login-keys.ts';
import { openedStore } from './opened.ts';

loginKeyStoreContract('SQLite', openedStore(makeSqlLoginKeyStore));
