import { flowStoreIndexes, makeMongoFlowStore } from '../../../adapters/mongodb/flow-store.ts';
import { loginKeyStoreIndexes, makeMongoLoginKeyStore } from '../../../adapters/mongodb/login-key-store.ts';
import { flowStoreContract } from '../../contracts/flows.ts';
import { loginKeyStoreContract } from '../../contracts/login-keys.ts';
import { onEachMongo } from './opened.ts';

onEachMongo((name, { openedStore, explainsAll }) => {
  loginKeyStoreContract(name, openedStore(loginKeyStoreIndexes, makeMongoLoginKeyStore));
  flowStoreContract(name, openedStore(flowStoreIndexes, makeMongoFlowStore));
  explainsAll();
});
