import { mkdtemp, open, opendir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sandboxFolder } from '../billing/sandbox-customers.ts';
import type { Config } from '../config/config-types.ts';
import { hasCode, linkIfFree, syncFolderOf } from '../files/atomic-write.ts';
import { makeTarWriter, type TarWriter } from '../files/tar.ts';
import { storeFile } from '../sqlite/database.ts';
import { copyStore, schemaOf } from '../sqlite/snapshot.ts';
import { version } from '../version.ts';
import { makeChecksums } from './checksums.ts';
import { fileExists } from './installation-error.ts';
import { requireEmbeddedStore } from './require-existing-store.ts';

/** Names in a backup. `tar` and `sha256sum -c` work on it, too. */
export const NAMES = { note: 'BACKUP.json', store: 'gatehouse.db', sums: 'SHA256SUMS', objects: 'objects' };

/** An object's name in a backup. */
export const OBJECT = /^objects\/[\w-]{1,64}\/[\w-]{1,64}\.[a-z]{1,8}$/;

/** Files that a backup leaves out, by kind: secrets are stored apart from the data that they protect. */
export interface LeftOut {
  /** Without these files a restored store can neither decrypt its secrets nor verify its audit log. */
  readonly keyFiles: readonly string[];
  /** The settings whose secrets are in the environment or in `.env`. */
  readonly secretSettings: readonly string[];
  /** The folder of mails that were written as files; null if a provider sends mails. */
  readonly mail: string | null;
  /** The bucket with the avatars; null if the backup contains them. */
  readonly bucket: string | null;
  /** The folder of the billing sandbox's customers; null without the sandbox. */
  readonly sandbox: string | null;
}

export interface BackupReport {
  readonly file: string;
  readonly bytes: number;
  readonly objects: number;
  readonly schema: number;
  /** The store has the schema of an earlier version. Only `store migrate` and a server's start accept it. */
  readonly isOlder: boolean;
  readonly leftOut: LeftOut;
}

export const leftOutBy = (config: Config): LeftOut => {
  const { billing, secretSources, hashKeys, internalSecrets, kms, mail, signingKeys } = config;
  // Secrets that the program makes in a file unless they are set. It cannot make those of a real payment provider.
  const secrets = [
    hashKeys,
    internalSecrets,
    ...(billing.provider === 'sandbox' ? [billing.webhookSecrets] : []),
  ];
  const sources = Object.entries(secretSources);
  return {
    keyFiles: [
      signingKeys.path,
      ...(kms.kind === 'local' ? [kms.keys.path] : []),
      ...secrets.flatMap((secret) => ('madeIn' in secret ? [secret.madeIn] : [])),
      ...sources.flatMap(([, file]) => file ?? []),
    ],
    secretSettings: sources.flatMap(([setting, file]) => (file === null ? [setting] : [])),
    mail: mail.provider === 'files' ? mail.folder : null,
    bucket: config.objects === null ? null : String(config.shown.OBJECTS_URL),
    sandbox: billing.provider === 'sandbox' ? sandboxFolder(config.dataDir) : null,
  };
};

/** Paths of stored objects below the folder, as `<user id>/<name>`. Objects removed meanwhile are left out. */
async function* listObjects(folder: string): AsyncGenerator<string> {
  for await (const user of entriesOf(folder)) {
    for await (const name of entriesOf(join(folder, user))) {
      const path = `${user}/${name}`;
      // Leaves out `.tmp` files, which are objects still being written, and files of other programs.
      if (OBJECT.test(`${NAMES.objects}/${path}`)) yield path;
    }
  }
}

async function* entriesOf(folder: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await opendir(folder)) yield name;
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error;
  }
}

const addFile = async (tar: TarWriter, name: string, path: string): Promise<string> => {
  // An open file can be read even if it is removed meanwhile.
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return await tar.add(name, size, file.createReadStream({ autoClose: false }));
  } finally {
    await file.close();
  }
};

/**
 * Writes a consistent copy of the embedded store, with its objects, into one archive, while servers work. Throws
 * `FileExists`, `NoStoreHere` for another store, and `StoreUnusable` for one of a newer version. See decision 0040.
 */
export const backupStore = async (config: Config, target: string): Promise<BackupReport> => {
  requireEmbeddedStore(config);
  const file = resolve(target);
  if ((await stat(file).catch(() => undefined)) !== undefined) throw fileExists(file);
  const store = storeFile(config.dataDir);
  const { version: schema, newest } = schemaOf(store);
  const folder = await mkdtemp(join(dirname(file), '.gatehouse-backup-'));
  try {
    const part = join(folder, 'part');
    const sums = makeChecksums(join(folder, 'sums'));
    const archive = await open(part, 'wx', 0o600);
    try {
      const tar = makeTarWriter(archive);
      const note = `${JSON.stringify({ product: 'gatehouse', format: 1, version, schema, madeAt: new Date().toISOString() })}\n`;
      sums.add(NAMES.note, await tar.add(NAMES.note, Buffer.byteLength(note), [Buffer.from(note)]));

      let count = 0;
      const addObjects = async () => {
        // With a bucket, the folder holds only objects from before its use.
        if (config.objects !== null) return;
        const objects = join(config.dataDir, NAMES.objects);
        for await (const path of listObjects(objects)) {
          const name = `${NAMES.objects}/${path}`;
          if (sums.has(name)) continue;
          const sum = await addFile(tar, name, join(objects, path)).catch((error: unknown) => {
            // The object was removed after the listing: the store names another object by now, or none.
            if (hasCode(error, 'ENOENT')) return undefined;
            throw error;
          });
          if (sum === undefined) continue;
          count += 1;
          sums.add(name, sum);
        }
      };
      // Before the copy, for objects removed during the copy, and after it, for objects added before the copy ended.
      await addObjects();
      const copy = join(folder, 'store');
      copyStore(store, copy);
      await addObjects();
      sums.add(NAMES.store, await addFile(tar, NAMES.store, copy));
      await tar.add(NAMES.sums, sums.bytes(), sums.list());
      await tar.end();
      const { size } = await archive.stat();
      if (!(await linkIfFree(part, file))) throw fileExists(file);
      await syncFolderOf(file);
      return {
        file,
        bytes: size,
        objects: count,
        schema,
        isOlder: schema < newest,
        leftOut: leftOutBy(config),
      };
    } finally {
      sums.close();
      await archive.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
