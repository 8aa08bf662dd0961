import type { DomainRecord } from './domain-record.ts';

/** Who claims and who owns which domain, one document each, found by its A-labels. */
export interface DomainStore {
  find(domain: string): Promise<DomainRecord | undefined>;
  /** False when there is a record for this domain; nothing is stored then. */
  add(record: DomainRecord): Promise<boolean>;
  /** Replaces the domain's record if that still has the revision `seen`. False otherwise. */
  save(record: DomainRecord, seen: string): Promise<boolean>;
  /** Removes the domain's record if it still has the revision `seen`. False otherwise. */
  remove(domain: string, seen: string): Promise<boolean>;
  /** Those to be looked over by `now`, the longest due first. */
  listDue(now: number, limit: number): Promise<readonly DomainRecord[]>;
}

/** Asks the DNS. */
export interface Dns {
  /**
   * The texts of the name's TXT records (RFC 1035 section 3.3.14), the strings of each joined; none when there is no
   * such name or no such record. Throws `unavailable` (`dns_unavailable`) when no answer came in time, or none that
   * says either.
   */
  txt(name: string): Promise<readonly string[]>;
}
