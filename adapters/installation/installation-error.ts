/** Ends a command on a whole installation. Each error has a name of its own; its message tells the operator what to do. */
export class InstallationError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

export const fileExists = (file: string) =>
  new InstallationError('FileExists', `${file} exists already and was left unchanged.`);

export const folderNotEmpty = (folder: string, hint = '') =>
  new InstallationError(
    'FolderNotEmpty',
    `DATA_DIR ${folder} is not empty: a backup is restored into an empty folder only.${hint}`,
  );

export const brokenExport = (file: string, line: number, reason: string) =>
  new InstallationError('BrokenExport', `Line ${line} of ${file} is wrong for an export: ${reason}.`);

/** This export cannot continue `FILE.part`. */
export const foreignPart = (part: string) =>
  new InstallationError(
    'ForeignPart',
    `${part} is not an export of this installation and was left unchanged: move it away, or name another file.`,
  );

export const exportUnderWay = (file: string) =>
  new InstallationError(
    'ExportUnderWay',
    `Another export into ${file} is under way: wait until it has ended, or name another file.`,
  );

/** Servers or commands use the store, so records that an export reads one after the other would not belong together. */
export const storeAtWork = () =>
  new InstallationError(
    'StoreAtWork',
    'Servers or commands are using this store, or were killed less than half a minute ago: stop them all, then run the command again.',
  );

/** Another process uses the store: this import has stopped. */
export const storeTaken = () =>
  new InstallationError(
    'StoreTaken',
    'Another import into this store is under way, or a server was just started on it: wait until the import has ended, or stop the server, then run the command again.',
  );

export const storeNotFresh = () =>
  new InstallationError(
    'StoreNotFresh',
    'The store holds users or other records already: an installation is imported into an empty one only.',
  );

export const otherImportUnfinished = (sha256: string) =>
  new InstallationError(
    'OtherImportUnfinished',
    `This store has an unfinished import of another file, with the SHA-256 ${sha256}: run store import with that file again, or use an empty store.`,
  );
