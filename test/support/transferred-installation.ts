import { readFileSync } from 'node:fs';
import { findEmbeddedStore } from '../../adapters/choose-store.ts';
import { readConfig } from '../../adapters/config.ts';
import { exportInstallation, importInstallation } from '../../adapters/installation.ts';
import type { OpenedStore } from '../../adapters/store.ts';
import { makeRecordingLog } from './recording-log.ts';

const tools = { clock: { now: () => Date.now() }, log: makeRecordingLog() };

/** Export and import of the store that these settings name; relative paths are in the folder. */
export const makeTransfer = (folder: string, settings: Readonly<Record<string, string>>) => {
  const config = () => readConfig(settings, folder);
  return {
    config,
    exportTo: (file: string, onProgress: (share: number, section: string) => void = () => undefined) =>
      exportInstallation(config(), tools, file, onProgress),
    importFrom: (file: string, onProgress: (share: number) => void = () => undefined) =>
      importInstallation(config(), tools, file, onProgress),
  };
};

export interface ExportLine {
  readonly section: string;
  readonly place: string;
  readonly record: { readonly userId?: string; readonly id?: string };
}

/** The records of an export, line by line. */
export const recordsIn = (file: string): readonly ExportLine[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((line) => 'place' in line);

/** A value with its members in the order of their names, so that equal values have the same JSON text. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([name], [otherName]) => (name < otherName ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
};

/** The records of each section in an order that no store influences; the sessions of a user in the order of the file. */
export const comparable = (file: string): Readonly<Record<string, readonly unknown[]>> => {
  const sections = new Map<string, { readonly key: string; readonly record: ExportLine['record'] }[]>();
  for (const { section, record } of recordsIn(file)) {
    const key = section === 'sessions' ? String(record.userId) : JSON.stringify(sorted(record));
    sections.set(section, sections.get(section) ?? []);
    sections.get(section)?.push({ key, record });
  }
  return Object.fromEntries(
    [...sections].map(([section, keyed]) => [
      section,
      keyed
        .toSorted((row, other) => (row.key === other.key ? 0 : row.key < other.key ? -1 : 1))
        .map(({ record }) => record),
    ]),
  );
};

/** Opens the embedded store in a folder, beside other processes. */
export const withEmbeddedStore = async <T>(
  dataDir: string,
  use: (store: OpenedStore) => Promise<T>,
): Promise<T> => {
  const place = findEmbeddedStore(dataDir, { ...tools, isServer: false });
  try {
    return await use(await place.open());
  } finally {
    await place.close();
  }
};
