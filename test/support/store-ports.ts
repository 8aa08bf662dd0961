import { findStore } from '../../adapters/choose-store.ts';
import { readConfig } from '../../adapters/config.ts';
import type { StorePorts } from '../../adapters/store.ts';
import { SECTIONS } from '../../adapters/transfer/sections.ts';
import type { StoredFile } from '../../core/files/ports.ts';
import { compositionSettings } from './composition.ts';
import { makeRecordingLog } from './recording-log.ts';

/** A port of a store that is still being opened: each call waits for the store. */
const portOf = <Name extends keyof StorePorts>(ports: Promise<StorePorts>, name: Name): StorePorts[Name] =>
  new Proxy({} as StorePorts[Name], {
    get:
      (_, method: string) =>
      async (...args: readonly unknown[]) => {
        const port = (await ports)[name];
        const call: unknown = Reflect.get(port, method);
        return typeof call === 'function' ? call(...args) : call;
      },
  });

/** The asynchronous ports of the store that a service on this folder uses, opened beside the service. */
export const openStorePorts = (folder: string, settings = compositionSettings(folder)) => {
  const config = readConfig({ ...settings, DATA_DIR: folder }, folder);
  const location = findStore(config, {
    clock: { now: () => Date.now() },
    log: makeRecordingLog(),
    isServer: false,
  });
  const opening = location.then((storeLocation) => storeLocation.open());
  const ports = opening.then((store) => store.ports);
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
    /** The ids of all accounts with this email, verified or not: at most one in a correct store. */
    ownersOf: async (email: string): Promise<readonly string[]> => {
      const accounts = await (await opening).transfer().sections.accounts.read(null, 100_000);
      return accounts.flatMap(({ record }) => (record.email === email ? [record.id] : []));
    },
    /** Stores many records at once, unchanged. */
    putFiles: async (files: readonly StoredFile[]): Promise<void> => {
      const records = files.map((file) => ({ ...file, removed: false, accesses: 0, accessedAt: 0 }));
      await (await opening).transfer().sections.files.write(records, 0);
    },
    /** Paths of the user's stored objects. */
    objectsOf: async (userId: string): Promise<readonly string[]> => {
      const paths: string[] = [];
      for await (const { path } of (await ports).objects.list()) paths.push(path);
      return paths.filter((path) => path.startsWith(`${userId}/`));
    },
    /** All stored records, except attempt counts and daily statistics, which a job writes at an unknown time. */
    dump: async (): Promise<string> => {
      const { sections } = (await opening).transfer();
      const names = SECTIONS.filter((name) => name !== 'tries' && name !== 'statistics');
      return JSON.stringify(await Promise.all(names.map((name) => sections[name].read(null, 100_000))));
    },
    close: async () => (await location).close(),
  };
};
