import type { Account } from '../../core/accounts/account.ts';
import type { DomainRecord } from '../../core/accounts/custom-domain/domain-record.ts';
import type { AuditHead, AuditRow, OutboxMail } from '../../core/accounts/ports.ts';
import type { Session } from '../../core/accounts/session.ts';
import type { EventRecord, RatesRecord } from '../../core/billing/ports.ts';
import type { CacheReads, Counts } from '../../core/daily-statistics.ts';
import type { StoredFile } from '../../core/files/ports.ts';
import type { OutboxItem } from '../../core/outbox.ts';
import type { WebhookEntry } from '../../core/webhooks/ports.ts';

/** Failed attempts by throttle key; times in epoch milliseconds. */
export interface TransferredAttempts {
  readonly key: string;
  readonly count: number;
  readonly firstAt: number;
  readonly endsAt: number;
}

/** A file record with its reads. A removed record stays until it is out of the cache. `item` is left out: `entry` contains it. */
export interface TransferredFile extends Omit<StoredFile, 'item'> {
  readonly removed: boolean;
  readonly accesses: number;
  readonly accessedAt: number;
}

/** A stored object, its bytes as base64. */
export interface TransferredObject {
  readonly path: string;
  readonly bytes: string;
}

export interface TransferredLink {
  readonly customerId: string;
  readonly userId: string;
}

/** The statistics of a UTC day. */
export interface TransferredDay extends CacheReads {
  readonly day: string;
  /** Null if only cache reads were counted. */
  readonly counted: Counts | null;
  readonly mailWaitingMost: number;
}

/**
 * Everything that an installation stores, in a form that all stores read and write, except what concerns this store alone:
 * leases, the claims of outbox entries made under them, flows, and results of background jobs.
 */
export interface TransferredRecords {
  readonly accounts: Account;
  /** Those of each user in the order in which they were added. */
  readonly sessions: Session;
  readonly tries: TransferredAttempts;
  readonly domains: DomainRecord;
  readonly outbox: OutboxMail;
  readonly webhooks: OutboxItem<WebhookEntry>;
  readonly audit: AuditRow;
  readonly auditHead: AuditHead;
  readonly files: TransferredFile;
  readonly objects: TransferredObject;
  readonly events: EventRecord;
  readonly links: TransferredLink;
  readonly rates: RatesRecord;
  readonly statistics: TransferredDay;
}

export type Section = keyof TransferredRecords;

/** The sections in their order in an export. */
export const SECTIONS = [
  'accounts',
  'sessions',
  'tries',
  'domains',
  'outbox',
  'webhooks',
  'audit',
  'auditHead',
  'files',
  'objects',
  'events',
  'links',
  'rates',
  'statistics',
] as const satisfies readonly Section[];

/** A record, and the place to continue behind it: a text that only its own store understands. */
export interface Placed<T> {
  readonly place: string;
  readonly record: T;
}

/** Reads and writes the records of one section. */
export interface SectionOf<T> {
  /** The approximate number of records. */
  count(): Promise<number>;
  /** The records behind `after` (null: from the first record), at most `limit`, in a stable order; an empty list at the end. */
  read(after: string | null, limit: number): Promise<readonly Placed<T>[]>;
  /**
   * Stores the records unchanged, replacing records with the same ids, so that it may be repeated. `from` is the number of
   * the first record within the section, from 0.
   */
  write(records: readonly T[], from: number): Promise<void>;
}

export interface ImportProgress {
  /** The checksum of the imported file. */
  readonly id: string;
  /** The number of the file's lines that are stored. */
  readonly lines: number;
}

/** A store that can be exported and imported as a whole. */
export interface TransferableStore {
  readonly sections: { readonly [Name in Section]: SectionOf<TransferredRecords[Name]> };
  /** Whether the store contains only what a first start creates. */
  isFresh(): Promise<boolean>;
  /** Whether a server or a command works on the store. */
  isAtWork(now: number): Promise<boolean>;
  /** A text that changes once a server, or a command with changes, has worked on the store. */
  state(): Promise<string>;
  unfinishedImport(): Promise<ImportProgress | undefined>;
  /** Begins an import: deletes what a first start created. May be repeated while the store has no line of the file. */
  startImport(progress: ImportProgress): Promise<void>;
  saveProgress(progress: ImportProgress): Promise<void>;
  /** Ends the import, and invalidates caches: their entries belong to another store. */
  endImport(): Promise<void>;
}
