import { ConfigError } from '../config/config-error.ts';
import type { Config } from '../config/config-types.ts';
import { remoteStoreSetting } from '../config/remote-store.ts';
import { statIfThere } from '../data-dir.ts';
import { storeFile } from '../sqlite/database.ts';
import { isThere, refuseHalfRestored } from '../sqlite/restore-lock.ts';

/** The settings name no store that a command may use. */
export class NoStoreHere extends Error {
  override readonly name = 'NoStoreHere';
}

const ofAnotherUser = (dataDir: string, owner: number | undefined, uid: number | undefined) =>
  new NoStoreHere(
    `DATA_DIR ${dataDir} belongs to the system user ${owner}, and this command runs as ${uid}: run it as its owner.`,
  );

/** Throws `NoStoreHere` if root would make files in a folder of another system user, whose servers could not write them. */
export const requireOwnFolder = ({ dataDir }: Config, uid = process.getuid?.()): void => {
  const owner = statIfThere(dataDir)?.uid;
  if (uid === 0 && owner !== undefined && owner !== 0) throw ofAnotherUser(dataDir, owner, uid);
};

/**
 * Requires the embedded store to exist, since a command never creates an empty store, and to belong to this system user. The
 * folder may be another's, such as a volume of Kubernetes. A store behind a network is checked when it is opened. Throws
 * `NoStoreHere`, and `StoreUnusable` during a restore.
 */
export const requireStore = (config: Config, uid = process.getuid?.()): void => {
  if (remoteStoreSetting(config) !== undefined) return;
  const { dataDir } = config;
  let owner: number | undefined;
  try {
    owner = statIfThere(storeFile(dataDir))?.uid;
  } catch {
    // The folder is closed to this user.
    throw ofAnotherUser(dataDir, statIfThere(dataDir)?.uid, uid);
  }
  if (owner === undefined) {
    refuseHalfRestored(dataDir);
    throw new NoStoreHere(
      `There is no store in DATA_DIR ${dataDir}: run the command in the server's folder or with its settings.`,
    );
  }
  if (uid !== undefined && owner !== uid) throw ofAnotherUser(dataDir, owner, uid);
};

/** Requires a store behind a network to exist. Throws `NoStoreHere`. */
export const requireRemoteStore = (config: Config, isStoreThere: boolean): void => {
  const setting = remoteStoreSetting(config);
  if (isStoreThere || setting === undefined) return;
  throw new NoStoreHere(
    `There is no store in the database that ${setting} names: start a server on it first, or name another.`,
  );
};

const BACKUP_TOOLS = {
  MONGODB_URL: 'on MongoDB use its own tools, such as mongodump and mongorestore',
  POSTGRES_URL: 'on PostgreSQL use its own tools, such as pg_dump and pg_restore',
};

/** Requires that the settings choose the embedded store, whether it exists or not. Throws `NoStoreHere`. */
export const requireEmbeddedStore = (config: Config): void => {
  const setting = remoteStoreSetting(config);
  if (setting === undefined) return;
  throw new NoStoreHere(
    `${setting} is set, and this is for the embedded store alone: ${BACKUP_TOOLS[setting]}, or store export and ` +
      'store import.',
  );
};

/** Where keys come from; `kms` is null if its keys need no check. */
type KeySettings = Pick<Config, 'hashKeys' | 'signingKeys'> & { readonly kms: Config['kms'] | null };

/** The key files that the first start creates and without which stored data or tokens are lost, with their kinds for `keys init`. */
const createdKeyFiles = ({ hashKeys, signingKeys, kms }: KeySettings) => [
  ...('madeIn' in hashKeys ? [{ setting: 'HASH_KEY', kind: 'hash', path: hashKeys.madeIn }] : []),
  ...(signingKeys.made ? [{ setting: 'SIGNING_KEYS_FILE', kind: 'signing', path: signingKeys.path }] : []),
  ...(kms?.kind === 'local' && kms.keys.made
    ? [{ setting: 'MASTER_KEYS_FILE', kind: 'master', path: kms.keys.path }]
    : []),
];

/**
 * Prevents new keys for a store that was used with other keys, as in a folder that was restored without them: nobody would
 * notice that encrypted data is lost. A start creates its keys before its store, so a store without keys had keys before.
 * Throws `ConfigError`. See decision 0038.
 */
export const requireKeys = (settings: KeySettings, isStoreThere: boolean): void => {
  if (!isStoreThere) return;
  const missing = createdKeyFiles(settings).filter(({ path }) => !isThere(path));
  if (missing.length === 0) return;
  throw new ConfigError(
    missing.map(
      ({ setting, kind, path }) =>
        `${setting}: ${path} is missing, and the store is there already: put the file back. If it is lost for good, or ` +
        `the store is new, create one with keys init --kind ${kind} ${path} (nothing that was made with a lost key is ` +
        'valid under it)',
    ),
  );
};
