import type { Accounts, Billing, Files, Operator } from '../core/index.ts';

/** The parts of the product, opened. */
export interface Product {
  readonly accounts: Accounts;
  readonly files: Files;
  readonly billing: Billing;
  /** Makes a new master key seal, where that is ours to do; gives the id of the one that does. */
  readonly rotateMasterKey: () => Promise<string>;
}

/** What a verb that changes something is told of who acts. */
export interface Acting {
  /** The name of the person, in place of the login name. */
  readonly as?: string;
  readonly reason?: string;
}

/** What the commands work with; `main.ts` makes it of the settings and the composition. */
export interface Desk {
  /** Who acts and why, as the audit log has it. */
  by(given: Acting): Operator;
  /** The settings by name as they will be used, secrets hidden. */
  settings(): Readonly<Record<string, string | number>>;
  /** Opens the product for something that only looks. */
  look<T>(job: (product: Product) => Promise<T>): Promise<T>;
  /** The same for something that changes; what it leaves pending is moved on before it ends. */
  act<T>(job: (product: Product) => Promise<T>): Promise<T>;
  /** Makes a first key file; false when there is a file by that name. */
  makeKeyFile(kind: KeyKind, path: string): Promise<boolean>;
  readonly keys: KeyTools;
  readonly store: StoreTools;
}

export type KeyKind = 'signing' | 'master' | 'hash';

export interface KeyLine {
  readonly kind: 'signing' | 'master';
  readonly id: string;
  readonly state: string;
  /** Null for keys of a service that does not tell. */
  readonly createdAt: string | null;
  /** How many records and secrets are sealed with it. */
  readonly sealed?: number;
}

export interface KeyTools {
  list(): Promise<readonly KeyLine[]>;
  rotateSigning(how: { readonly atOnce: boolean }): Promise<string>;
  retireSigning(id: string): Promise<void>;
  retireMaster(id: string): Promise<void>;
}

/** Files that a backup does not hold. */
export interface LeftOut {
  readonly keyFiles: readonly string[];
  /** The settings whose secrets stand in the environment or in `.env`. */
  readonly secretSettings: readonly string[];
  readonly mail: string | null;
}

/** What an export or an import handled, and what its keys are called. */
export interface MoveReport {
  readonly records: number;
  readonly sha256: string;
  readonly keysNeeded: readonly string[];
}

export interface StoreTools {
  exportTo(
    file: string,
    onProgress: (share: number, section: string) => void,
  ): Promise<MoveReport & { readonly file: string }>;
  importFrom(file: string, onProgress: (share: number) => void): Promise<MoveReport>;
  migrate(): Promise<{ readonly before: number; readonly now: number }>;
  backup(file: string): Promise<{
    readonly file: string;
    readonly bytes: number;
    readonly objects: number;
    /** Of a version before this program's, so that nothing can be noted in it. */
    readonly isOlder: boolean;
    readonly leftOut: LeftOut;
  }>;
  restore(file: string): Promise<{
    readonly dataDir: string;
    readonly objects: number;
    readonly leftOut: LeftOut;
  }>;
}
