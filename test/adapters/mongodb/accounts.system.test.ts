import { accountStoreIndexes, makeMongoAccountStore } from '../../../adapters/mongodb/account-store.ts';
import { attemptsStoreIndexes, makeMongoAttemptsStore } from '../../../adapters/mongodb/attempts-store.ts';
import { makeMongoDirectory } from '../../../adapters/mongodb/directory.ts';
import { domainStoreIndexes, makeMongoDomainStore } from '../../../adapters/mongodb/domain-store.ts';
import { makeMongoSessionStore, sessionStoreIndexes } from '../../../adapters/mongodb/session-store.ts';
import { accountListsContract } from '../../contracts/account-lists.ts';
import { accountStoreContract } from '../../contracts/account-store.ts';
import { attemptsStoreContract } from '../../contracts/attempts-store.ts';
import { directoryContract } from '../../contracts/directory.ts';
import { domainStoreContract } from '../../contracts/domain-store.ts';
import { sessionStoreContract } from '../../contracts/session-store.ts';
import { sessionsWithAccountsContract } from '../../contracts/sessions-with-accounts.ts';
import { onEachMongo } from './opened.ts';

let time = 0;
/** By it, nothing that was counted before serves any more. */
const clock = {
  now: () => {
    time += 60_000;
    return time;
  },
};

onEachMongo((name, { openedStore, explainsAll }) => {
  accountStoreContract(name, openedStore(accountStoreIndexes, makeMongoAccountStore));
  accountListsContract(name, openedStore(accountStoreIndexes, makeMongoAccountStore));
  directoryContract(
    name,
    openedStore(accountStoreIndexes, (database) => ({
      accounts: makeMongoAccountStore(database),
      directory: makeMongoDirectory(database, clock),
    })),
  );
  // How a server is set up changes nothing about how many are counted.
  if (name === 'MongoDB') {
    directoryContract(
      `${name} with many accounts`,
      openedStore(accountStoreIndexes, (database) => ({
        accounts: makeMongoAccountStore(database),
        directory: makeMongoDirectory(database, clock, { few: 0, page: 2, step: 2 }),
      })),
    );
  }
  sessionStoreContract(name, openedStore(sessionStoreIndexes, makeMongoSessionStore));
  attemptsStoreContract(name, openedStore(attemptsStoreIndexes, makeMongoAttemptsStore));
  domainStoreContract(name, openedStore(domainStoreIndexes, makeMongoDomainStore));

  const openPresences = openedStore({ ...accountStoreIndexes, ...sessionStoreIndexes }, (database) => ({
    accounts: makeMongoAccountStore(database),
    sessions: makeMongoSessionStore(database),
    presences: { find: makeMongoSessionStore(database).findWithAccount },
  }));
  sessionsWithAccountsContract(name, async () => {
    const { store, close } = await openPresences();
    return { ...store, close };
  });
  explainsAll();
});
