import { domainTaken } from '../errors.ts';
import { timeSince } from '../session.ts';

/** A user's claim of a domain, identified by its token. */
export interface DomainClaim {
  readonly userId: string;
  /** The value of the TXT record. Each claim has a new token, so an old TXT record verifies nothing. */
  readonly token: string;
  /** When the claim began to exclude other users, epoch milliseconds. */
  readonly at: number;
  /** When it was stored. Later than `at` if the user had removed the domain and claimed it again: the new claim keeps `at`. */
  readonly enteredAt: number;
}

/** The user whose claim is verified. */
export interface DomainOwner {
  readonly userId: string;
  readonly token: string;
  /** Consecutive daily look-ups that did not find the TXT record. */
  readonly failedDays: number;
}

/** The owner and the claims of a domain: one record per domain, keyed by its A-labels. */
export interface DomainRecord {
  readonly domain: string;
  /** A new id with each write: a counter would repeat its values after the record was deleted. Empty before the first write. */
  readonly revision: string;
  readonly owner: DomainOwner | null;
  readonly claims: readonly DomainClaim[];
  /** When the next check is due, epoch milliseconds; stored under its earlier name. */
  readonly lookAt: number;
}

export const newDomainRecord = (domain: string, checkAt: number): DomainRecord => ({
  domain,
  revision: '',
  owner: null,
  claims: [],
  lookAt: checkAt,
});

/** A claim as a string, for the task that removes it. */
export const encodeClaim = ({ domain, token }: { readonly domain: string; readonly token: string }): string =>
  `${token}@${domain}`;

export const decodeClaim = (encoded: string): { readonly domain: string; readonly token: string } => {
  const [token = '', domain = ''] = encoded.split('@');
  return { domain, token };
};

const hasClaim = ({ claims }: DomainRecord, token: string): boolean =>
  claims.some((claim) => claim.token === token);

/**
 * The record with this claim; an existing claim stays unchanged. Throws `conflict` (`domain_taken`) if the domain
 * belongs to another user, or another user claimed it less than `claimLifeMs` before this claim is entered.
 */
export const withClaim = (record: DomainRecord, claim: DomainClaim, claimLifeMs: number): DomainRecord => {
  const { owner, claims } = record;
  if (owner !== null && owner.userId !== claim.userId) throw domainTaken();
  if (hasClaim(record, claim.token)) return record;
  if (
    claims.some(({ userId, at }) => userId !== claim.userId && timeSince(at, claim.enteredAt) < claimLifeMs)
  )
    throw domainTaken();
  return { ...record, claims: [...claims, claim] };
};

/**
 * The record with the claim's user as its owner: the first claimant who proves control of the domain. Throws `conflict`
 * (`domain_taken`) if the domain belongs to another user.
 */
export const withOwner = (record: DomainRecord, claim: DomainClaim, checkAt: number): DomainRecord => {
  const { owner, claims } = record;
  if (owner !== null && owner.userId !== claim.userId) throw domainTaken();
  const { userId, token } = claim;
  return {
    ...record,
    owner: { userId, token, failedDays: 0 },
    claims: hasClaim(record, token) ? claims : [...claims, claim],
    lookAt: checkAt,
  };
};

/** The record without this claim, and without its owner if the claim is the owner's. */
export const withoutClaim = (record: DomainRecord, token: string): DomainRecord =>
  hasClaim(record, token)
    ? {
        ...record,
        owner: record.owner?.token === token ? null : record.owner,
        claims: record.claims.filter((claim) => claim.token !== token),
      }
    : record;

/** Stores the domain records. */
export interface DomainStore {
  find(domain: string): Promise<DomainRecord | undefined>;
  /** False if the domain already has a record; nothing is stored then. */
  add(record: DomainRecord): Promise<boolean>;
  /** Replaces the domain's record if it still has this revision. False otherwise. */
  save(record: DomainRecord, revision: string): Promise<boolean>;
  /** Removes the domain's record if it still has this revision. False otherwise. */
  remove(domain: string, revision: string): Promise<boolean>;
  /**
   * Records whose check is due by `now`, the longest overdue first; then those whose check is due later than `latest`. No check
   * sets so late a time, so these were checked before the clock was set back.
   */
  listDue(now: number, limit: number, latest: number): Promise<readonly DomainRecord[]>;
}

export interface Dns {
  /**
   * The texts of the name's TXT records (RFC 1035 section 3.3.14), the strings of each record joined; empty if the name
   * or the records do not exist. Throws `unavailable` (`dns_unavailable`) without a conclusive answer in time.
   */
  txt(name: string): Promise<readonly string[]>;
}
