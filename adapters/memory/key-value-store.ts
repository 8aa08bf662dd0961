import type { KeyValueStore } from '../../core/key-value-store.ts';
import { kept } from './records.ts';
import { text, whole } from './scalars.ts';

/** What background work found out, in memory. */
export const makeMemoryKeyValueStore = (): KeyValueStore => {
  const findings = new Map<string, { readonly value: object; readonly version: number }>();
  return {
    find: async <T>(name: string) => {
      const found = findings.get(text(name));
      return found && { value: found.value as T, version: found.version };
    },
    put: async (name, value, version) => {
      if ((findings.get(text(name))?.version ?? 0) !== whole(version)) return false;
      findings.set(name, { value: kept(value), version: version + 1 });
      return true;
    },
  };
};
