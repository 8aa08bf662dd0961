import type { RecordedWork, WorkOutcome } from '../core/accounts/admin/record-work-in-audit.ts';
import type { Accounts, Billing, Files, Operator, Webhooks } from '../core/index.ts';
import type { KeyLine } from '../core/key-status.ts';

/** The parts of the product, opened. */
export interface Product {
  readonly accounts: Accounts;
  readonly files: Files;
  readonly billing: Billing;
  readonly webhooks: Webhooks;
  /** Rotates the master key, if the KMS lets us. Returns the id of the key that encrypts from now on. */
  readonly rotateMasterKey: () => Promise<string>;
}

/** The person who acts: options of every verb that changes something. */
export interface OperatorOptions {
  /** The name of the person. Default: the login name. */
  readonly as?: string;
  /** Why; only some verbs take a reason. */
  readonly reason?: string;
}

/** What the commands work with. `main.ts` makes it from the settings and the composition. */
export interface CommandContext {
  /** The actor and the reason for the audit log. */
  by(operator: OperatorOptions): Operator;
  /** The settings by name with their values, secrets hidden. */
  settings(): Readonly<Record<string, string | number>>;
  /** Opens the product for a verb that leaves no outbox entries: it reads, changes only the cache, or sends a test message. */
  withReadOnly<T>(job: (product: Product) => Promise<T>): Promise<T>;
  /** Opens the product for a verb that changes something. Pending outbox entries are processed before it closes. */
  withChanges<T>(job: (product: Product) => Promise<T>): Promise<T>;
  /** Lets servers on the same machine have the processor first. The `preAction` hook of a verb whose work may take minutes. */
  lowerPriority(): void;
  /** Creates a key file. Returns false if the file exists. */
  makeKeyFile(kind: KeyKind, path: string): Promise<boolean>;
  readonly mails: MailTools;
  readonly keys: KeyTools;
  readonly store: StoreTools;
}

/** `withChanges` for work outside the accounts, which is recorded in the audit log: see `RecordedWork`. */
export const changeAndRecord = <T>(
  { withChanges, by }: CommandContext,
  operator: OperatorOptions,
  work: Omit<RecordedWork<T>, 'run'>,
  run: (product: Product, recordStart: () => Promise<void>) => Promise<WorkOutcome<T>>,
): Promise<T> =>
  withChanges((product) =>
    product.accounts.operate.recordWork({ ...work, run: (start) => run(product, start) }, by(operator)),
  );

export type KeyKind = 'signing' | 'master' | 'hash';

/** Selects mails by name and language; all if absent. */
export interface MailChoice {
  readonly template?: string;
  readonly language?: string;
}

/** Sample mails. They need no store. */
export interface MailTools {
  /** Returns the names of the mails. */
  preview(folder: string, choice: MailChoice): Promise<readonly string[]>;
  test(address: string, choice: MailChoice): Promise<void>;
}

export interface KeyTools {
  list(): Promise<readonly KeyLine[]>;
  rotateSigning(options: { readonly atOnce: boolean }): Promise<string>;
  retireSigning(id: string): Promise<void>;
  retireMaster(id: string): Promise<void>;
}

/** What a backup does not hold. */
export interface LeftOut {
  readonly keyFiles: readonly string[];
  /** The secret settings that are set in the environment or in `.env`. */
  readonly secretSettings: readonly string[];
  /** The folder of mails; null if mails are not written to a folder. */
  readonly mail: string | null;
  /** The bucket of the avatars; null if they are in the backup. */
  readonly bucket: string | null;
  /** The folder of the billing sandbox's customers; null without the sandbox. */
  readonly sandbox: string | null;
}

/** The outcome of an export or an import, with the keys that the target needs. */
export interface TransferReport {
  readonly records: number;
  readonly sha256: string;
  readonly keysNeeded: readonly string[];
}

export interface StoreTools {
  exportTo(
    file: string,
    onProgress: (share: number, section: string) => void,
  ): Promise<TransferReport & { readonly file: string }>;
  importFrom(file: string, onProgress: (share: number) => void): Promise<TransferReport>;
  /** Upgrades the store's schema; returns its versions. */
  migrate(): Promise<{ readonly before: number; readonly now: number }>;
  backup(file: string): Promise<{
    readonly file: string;
    readonly bytes: number;
    readonly objects: number;
    /** Whether the store is of an earlier version, so that nothing can be written to its audit log. */
    readonly isOlder: boolean;
    readonly leftOut: LeftOut;
  }>;
  restore(file: string): Promise<{
    readonly dataDir: string;
    readonly objects: number;
    readonly leftOut: LeftOut;
  }>;
}
