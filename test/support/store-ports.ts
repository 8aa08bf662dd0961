import { findStore } from '../../adapters/choose-store.ts';
import { readConfig } from '../../adapters/config.ts';
import type { StorePorts } from '../../adapters/store.ts';
import { SECTIONS } from '../../adapters/transfer/sections.ts';
import type { StoredFile } from '../../core/files/ports.ts';
import { compositionSettings } from './composition.ts';
import { makeRecordingLog } from './recording-log.ts';

/** A port of a store that is still being opened: each call waits for it. */
const portOf = <Name extends keyof StorePorts>(ports: Promise<StorePorts>, name: Name): StorePorts[Name] =>
  new Proxy({} as StorePorts[Name], {
    get:
      (_, method: string) =>
      async (...given: readonly unknown[]) => {
        const port = (await ports)[name];
        const call: unknown = Reflect.get(port, method);
        return typeof call === 'function' ? call(...given) : call;
      },
  });

/** The ports of the store that a service has which works on the folder, beside it. All but those that give no promise. */
export const openStorePorts = (folder: string, settings = compositionSettings(folder)) => {
  const config = readConfig({ ...settings, DATA_DIR: folder }, folder);
  const place = findStore(config, {
    clock: { now: () => Date.now() },
    log: makeRecordingLog(),
    upgrades: false,
  });
  const opened = place.then((storePlace) => storePlace.open());
  const ports = opened.then((store) => store.ports);
  return {
    accounts: portOf(ports, 'accounts'),
    sessions: portOf(ports, 'sessions'),
    outbox: portOf(ports, 'outbox'),
    audit: portOf(ports, 'audit'),
    domains: portOf(ports, 'customDomains'),
    ledger: portOf(ports, 'ledger'),
    files: portOf(ports, 'files'),
    attempts: portOf(ports, 'attempts'),
    flows: portOf(ports, 'flows'),
    webhooks: portOf(ports, 'webhooks'),
    loginKeys: portOf(ports, 'loginKeys'),
    /** The ids of all that have this email, confirmed or not: one at the most, if all is well. */
    ownersOf: async (email: string): Promise<readonly string[]> => {
      const accounts = await (await opened).transfer().sections.accounts.read(null, 100_000);
      return accounts.flatMap(({ record }) => (record.email === email ? [record.id] : []));
    },
    /** Stores many records at once, as they are. */
    putFiles: async (files: readonly StoredFile[]): Promise<void> => {
      const moved = files.map((file) => ({ ...file, removed: false, accesses: 0, accessedAt: 0 }));
      await (await opened).transfer().sections.files.write(moved, 0);
    },
    /** Paths of the user's stored objects. */
    objectsOf: async (userId: string): Promise<readonly string[]> => {
      const paths: string[] = [];
      for await (const { path } of (await ports).objects.list()) paths.push(path);
      return paths.filter((path) => path.startsWith(`${userId}/`));
    },
    /** All that is stored, but for counts: of attempts, and of the day, which a job writes when the processor has time. */
    dump: async (): Promise<string> => {
      const { sections } = (await opened).transfer();
      const names = SECTIONS.filter((name) => name !== 'tries' && name !== 'statistics');
      return JSON.stringify(await Promise.all(names.map((name) => sections[name].read(null, 100_000))));
    },
    close: async () => (await place).close(),
  };
};
