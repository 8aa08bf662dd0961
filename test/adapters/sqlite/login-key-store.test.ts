import { makeSqliteLoginKeyStore } from '../../../adapters/sqlite/login-key-store.ts';
import { loginKeyStoreContract } from '../../contracts/login-keys.ts';
import { openedStore } from './opened.ts';

loginKeyStoreContract('SQLite', openedStore(makeSqliteLoginKeyStore));
