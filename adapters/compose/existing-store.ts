import { statSync } from 'node:fs';
import type { Config } from '../config/types.ts';
import { storeFile } from '../sqlite/database.ts';

/** The settings lead to no store that a command may work on. */
export class NoStoreHere extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoStoreHere';
  }
}

/**
 * Refuses a folder of another system user: what is written there as somebody else, the servers could not write any
 * more. A folder that is not there is nobody's. Throws `NoStoreHere`.
 */
export const requireOwnFolder = ({ dataDir }: Config, uid = process.getuid?.()): void => {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || uid === undefined || owner === uid) return;
  throw new NoStoreHere(
    `DATA_DIR ${dataDir} belongs to the system user ${owner}, and this command runs as ${uid}: run it as its owner.`,
  );
};

/** Refuses where there is no store yet, since a command never makes an empty one. Throws `NoStoreHere`. */
export const requireStore = (config: Config, uid = process.getuid?.()): void => {
  if (statSync(storeFile(config.dataDir), { throwIfNoEntry: false }) === undefined) {
    throw new NoStoreHere(
      `There is no store in DATA_DIR ${config.dataDir}: run the command in the server's folder or with its settings.`,
    );
  }
  requireOwnFolder(config, uid);
};
