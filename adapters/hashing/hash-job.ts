import type { HashedFor } from '../../core/accounts/ports.ts';
import type { ImportedHashScheme } from './imported/imported-hash.ts';
import type { Cost } from './phc.ts';

/** One run of an algorithm. `equal-time-hash.ts` extends a cheaper run to the time of a hash of the configured cost. */
export interface HashJob {
  readonly password: string;
  readonly salt: Uint8Array;
  /** Bytes of the key. */
  readonly length: number;
  readonly scheme: { readonly kind: 'scrypt'; readonly cost: Cost } | ImportedHashScheme;
  /** Whether the run takes so long that only one such job may run at a time. */
  readonly isCostly?: boolean;
  /** For measurements: the run is not extended. */
  readonly isMeasured?: boolean;
}

/**
 * A key, and the milliseconds that its algorithm took: processor time in a process; elapsed time in a thread, of which Node.js
 * does not tell the processor time.
 */
export interface Derived {
  readonly key: Uint8Array;
  readonly took: number;
}

export type Derive = (job: HashJob, hashedFor: HashedFor) => Promise<Derived>;
