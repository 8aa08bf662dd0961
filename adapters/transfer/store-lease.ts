import type { Leases } from '../../core/ports.ts';

/**
 * Excludes imports and starting servers from each other. Code that looks for leases of running work must leave out this lease:
 * a server holds it for its start alone.
 */
export const STORE_LEASE = 'use';

/**
 * The holder of every starting server, so that servers share the lease. They do not renew it: after the start an import finds
 * the leases of their background jobs instead.
 */
const SERVERS = 'servers';

/** Longer than a start takes. */
const START_LEASE_MS = 10_000;
/** The time until the lease of a crashed import expires. */
const IMPORT_LEASE_MS = 3_000;

/**
 * Takes the lease for a starting server, before it checks for unfinished imports; false while an import is under way. If
 * two servers start at once, the slower attempt may fail (on MongoDB); its repetition shares the lease. See decision 0038.
 */
export const takeStartLease = async (leases: Pick<Leases, 'take'>): Promise<boolean> => {
  const take = () => leases.take(STORE_LEASE, SERVERS, START_LEASE_MS);
  return ((await take()) ?? (await take())) !== undefined;
};

/** An import's exclusive hold on the store. */
export interface StoreLease {
  /** Renews the hold; false if another holder had the lease meanwhile. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Takes the lease for an import; undefined while another import runs, or servers start. */
export const takeImportLease = async (
  leases: Pick<Leases, 'take' | 'release'>,
  holder: string,
): Promise<StoreLease | undefined> => {
  const lease = await leases.take(STORE_LEASE, holder, IMPORT_LEASE_MS);
  if (lease === undefined) return undefined;
  let { fence } = lease;
  return {
    renew: async () => {
      const renewed = await leases.take(STORE_LEASE, holder, IMPORT_LEASE_MS);
      // The fence stays the same if the lease had not expired, and is the next number if it had. It is a later number if another
      // holder had the lease meanwhile.
      const isOurs = renewed !== undefined && renewed.fence <= fence + 1;
      if (isOurs) fence = renewed.fence;
      return isOurs;
    },
    release: () => leases.release(STORE_LEASE, holder),
  };
};
