import { domainTaken } from './errors.ts';

/** One user's wish for a domain, named by its token. */
export interface DomainClaim {
  readonly userId: string;
  /** The value of the TXT record. Each claim has a new one, so a record left in the DNS verifies nothing. */
  readonly token: string;
  /** From when on the claim keeps others away, epoch milliseconds. */
  readonly at: number;
  /** When it was entered; later than `at` where the user had given the domain up in between. */
  readonly enteredAt: number;
}

/** The user whose claim is verified. */
export interface DomainOwner {
  readonly userId: string;
  readonly token: string;
  /** Daily look-ups in a row that did not find the record. */
  readonly failedDays: number;
}

/** Who wants a domain and who has it: one record for each domain, found by its A-labels. */
export interface DomainRecord {
  readonly domain: string;
  /** New with each write, also after the record was gone for a while; a number that begins anew could not tell. */
  readonly revision: string;
  readonly owner: DomainOwner | null;
  readonly claims: readonly DomainClaim[];
  /** When it is looked over next, epoch milliseconds. */
  readonly lookAt: number;
}

export const newDomainRecord = (domain: string, lookAt: number): DomainRecord => ({
  domain,
  revision: '',
  owner: null,
  claims: [],
  lookAt,
});

/** A claim as one string, for the task that removes it. */
export const nameClaim = ({ domain, token }: { readonly domain: string; readonly token: string }): string =>
  `${token}@${domain}`;

export const claimNamed = (name: string): { readonly domain: string; readonly token: string } => {
  const [token = '', domain = ''] = name.split('@');
  return { domain, token };
};

const holds = ({ claims }: DomainRecord, token: string): boolean =>
  claims.some((claim) => claim.token === token);

/**
 * The record with this claim in it; a claim that is there already stays as it is. Throws `conflict` (`domain_taken`)
 * when the domain is another user's, or another has claimed it for less than `hold` milliseconds.
 */
export const withClaim = (record: DomainRecord, claim: DomainClaim, hold: number): DomainRecord => {
  const { owner, claims } = record;
  if (owner !== null && owner.userId !== claim.userId) throw domainTaken();
  if (holds(record, claim.token)) return record;
  if (claims.some(({ userId, at }) => userId !== claim.userId && claim.enteredAt - at < hold))
    throw domainTaken();
  return { ...record, claims: [...claims, claim] };
};

/**
 * The record with the claim's user as its owner: of all who claim a domain, the first to show that it is theirs. Throws
 * `conflict` (`domain_taken`) when it is another's.
 */
export const withOwner = (record: DomainRecord, claim: DomainClaim, lookAt: number): DomainRecord => {
  const { owner, claims } = record;
  if (owner !== null && owner.userId !== claim.userId) throw domainTaken();
  const { userId, token } = claim;
  return {
    ...record,
    owner: { userId, token, failedDays: 0 },
    claims: holds(record, token) ? claims : [...claims, claim],
    lookAt,
  };
};

/** The record without this claim, and without its owner when it was theirs. */
export const withoutClaim = (record: DomainRecord, token: string): DomainRecord =>
  holds(record, token)
    ? {
        ...record,
        owner: record.owner?.token === token ? null : record.owner,
        claims: record.claims.filter((claim) => claim.token !== token),
      }
    : record;

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
