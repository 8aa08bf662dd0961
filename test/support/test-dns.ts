import type { Dns } from '../../core/index.ts';
import { unavailable } from '../../core/index.ts';

/** A DNS with the records that a test sets, which can also be down. */
export const makeTestDns = () => {
  const records = new Map<string, readonly string[]>();
  const asked: string[] = [];
  const state = { down: false };
  const port: Dns = {
    txt: async (name) => {
      asked.push(name);
      if (state.down) throw unavailable('dns_unavailable', 'The DNS gave no answer.');
      return records.get(name) ?? [];
    },
  };
  return {
    port,
    /** The queried names, in order. */
    asked,
    state,
    set: (name: string, ...texts: readonly string[]) => void records.set(name, texts),
    clear: (name: string) => void records.delete(name),
  };
};
