import type { Leases } from '../../core/ports.ts';

/**
 * The lease that keeps an import and servers that start apart. It tells nothing of work that was done, so whoever looks
 * for that leaves it out.
 */
export const USE = 'use';

/** All servers hold it under one name and let it lapse: by then they hold the leases of their jobs. */
const SERVERS = 'servers';

/** Milliseconds; longer than a start takes. */
const STARTING = 10_000;
/** How long to wait for the lease of an import that crashed. */
const IMPORTING = 3_000;

/**
 * For a server that starts, before it looks whether an import is under way; false while one is at work. Of two servers
 * that start at once, one may find that the other was quicker: asked again, it has the lease together with that.
 * See decision 0068.
 */
export const holdToStart = async (leases: Pick<Leases, 'take'>): Promise<boolean> => {
  const take = () => leases.take(USE, SERVERS, STARTING);
  return ((await take()) ?? (await take())) !== undefined;
};

/** The store as an import alone has it. */
export interface Hold {
  /** Renews it; false when somebody else has had it meanwhile. */
  keep(): Promise<boolean>;
  release(): Promise<void>;
}

/** For an import; undefined while another is at work, or servers start. */
export const holdToImport = async (
  leases: Pick<Leases, 'take' | 'release'>,
  holder: string,
): Promise<Hold | undefined> => {
  const held = await leases.take(USE, holder, IMPORTING);
  if (held === undefined) return undefined;
  return {
    keep: async () => (await leases.take(USE, holder, IMPORTING))?.fence === held.fence,
    release: () => leases.release(USE, holder),
  };
};
