import type { Dns } from '../../core/accounts/custom-domain/domain-record.ts';

/** A DNS with the TXT records that a test sets. */
export interface MemoryDns extends Dns {
  /** Replaces the TXT records of a name. */
  set(name: string, ...texts: readonly string[]): void;
}

export const makeMemoryDns = (): MemoryDns => {
  const records = new Map<string, readonly string[]>();
  return {
    txt: async (name) => records.get(name) ?? [],
    set: (name, ...texts) => {
      records.set(name, texts);
    },
  };
};
