import type { Account } from '../../core/accounts/account.ts';
import type { DomainRecord } from '../../core/accounts/domain-record.ts';
import type { AuditHead, AuditRow, OutboxMail } from '../../core/accounts/ports.ts';
import type { Session } from '../../core/accounts/session.ts';
import type { KeptEvent, KeptRates } from '../../core/billing/ports.ts';
import type { StoredFile } from '../../core/files/ports.ts';
import type { Waiting } from '../../core/outbox.ts';
import type { CacheReads, Counts } from '../../core/statistics.ts';
import type { WebhookEntry } from '../../core/webhooks/ports.ts';

/** Wrong tries, by the digest of what was guessed at; times in epoch milliseconds. */
export interface MovedTries {
  readonly key: string;
  readonly count: number;
  readonly firstAt: number;
  readonly endsAt: number;
}

/**
 * A file record with how often it was read, and whether it is removed and waits for the cache to know. Its list item stays
 * behind: it follows from the entry.
 */
export interface MovedFile extends Omit<StoredFile, 'item'> {
  readonly removed: boolean;
  readonly accesses: number;
  readonly accessedAt: number;
}

/** A stored object, its bytes as base64. */
export interface MovedObject {
  readonly path: string;
  readonly bytes: string;
}

export interface MovedLink {
  readonly customerId: string;
  readonly userId: string;
}

/** The figures of a UTC day. */
export interface MovedDay extends CacheReads {
  readonly day: string;
  /** Null where only reads of the cache were counted. */
  readonly counted: Counts | null;
  readonly mailWaitingMost: number;
}

/**
 * Everything that an installation keeps, in the one form that all stores give and take. Leases stay behind, and so do
 * the claims made under them, and what background work found out about this very store.
 */
export interface Moved {
  readonly accounts: Account;
  /** A user's records, in the order in which they were added. */
  readonly sessions: Session;
  readonly tries: MovedTries;
  readonly domains: DomainRecord;
  readonly outbox: OutboxMail;
  readonly webhooks: Waiting<WebhookEntry>;
  readonly audit: AuditRow;
  readonly auditHead: AuditHead;
  readonly files: MovedFile;
  readonly objects: MovedObject;
  readonly events: KeptEvent;
  readonly links: MovedLink;
  readonly rates: KeptRates;
  readonly statistics: MovedDay;
}

export type Section = keyof Moved;

/** In the order in which they are moved. */
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

/** A record and where to go on behind it: a text that only its own store understands. */
export interface Placed<T> {
  readonly place: string;
  readonly record: T;
}

/** How a store gives and takes the records of one section. */
export interface SectionOf<T> {
  /** About how many records there are. */
  count(): Promise<number>;
  /**
   * Those behind `after` (null: from the first on), at most `limit` and maybe fewer, in an order that stays the same; none
   * when there are no more.
   */
  read(after: string | null, limit: number): Promise<readonly Placed<T>[]>;
  /**
   * Stores them as they are, in place of what is under their ids, so that it may be repeated; `from` is the number of the
   * first of them within the section, from 0.
   */
  write(records: readonly T[], from: number): Promise<void>;
}

/** How far an import has come. */
export interface ImportMark {
  /** The checksum of what is imported. */
  readonly id: string;
  /** Its lines that are in the store. */
  readonly lines: number;
}

/** A store that can be moved as a whole. */
export interface MovableStore {
  readonly sections: { readonly [Name in Section]: SectionOf<Moved[Name]> };
  /** Whether nothing is in it but what a first start leaves. */
  isFresh(): Promise<boolean>;
  /** Whether some server has work in hand. */
  isAtWork(now: number): Promise<boolean>;
  /** Another text once a server, or a command that changes something, has worked on it. */
  state(): Promise<string>;
  /** The import that was begun and has not ended. */
  mark(): Promise<ImportMark | undefined>;
  /** Begins one: takes away what a first start left. May be repeated while no line is in the store. */
  begin(mark: ImportMark): Promise<void>;
  advance(mark: ImportMark): Promise<void>;
  /** Ends it: what caches hold by now is of no store. */
  finish(): Promise<void>;
}
