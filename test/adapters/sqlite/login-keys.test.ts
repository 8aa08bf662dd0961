import { makeSqliteLoginKeyStore } from '../../../adapters/sqlite/sign-in/login-key-store.ts';
import { loginKeyStoreContract } from '../../contracts/login-keys.ts';
import { openedStore } from './opened.ts';

loginKeyStoreContract('SQLite', openedStore(makeSqliteLoginKeyStore));
