import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Leases } from '../../../core/index.ts';
import {
  type ImportProgress,
  SECTIONS,
  type Section,
  type TransferableStore,
  type TransferredRecords,
} from '../../transfer/sections.ts';
import { type StoreLease, takeImportLease } from '../../transfer/store-lease.ts';
import { brokenExport, otherImportUnfinished, storeNotFresh, storeTaken } from '../installation-error.ts';
import { type CheckedExport, checkExport } from './check-export.ts';
import type { RecordLine } from './export-format.ts';

/** Longer than the 3 s for which a crashed import still holds the store. */
const LEASE_TIMEOUT_MS = 4_000;
const RETRY_MS = 200;
/** The time between two renewals during the import, however long a batch takes. */
const RENEWAL_INTERVAL_MS = 1_000;

/** Renews the lease in the background, too. A failure there is ignored: the renewal before the next write finds a lost lease. */
const keepRenewing = (lease: StoreLease, every: number): StoreLease => {
  const renewalTimer = setInterval(() => void lease.renew().catch(() => undefined), every).unref();
  return {
    renew: lease.renew,
    release: async () => {
      clearInterval(renewalTimer);
      // The outcome of the import is the one to report. A lease that is not released expires.
      await lease.release().catch(() => undefined);
    },
  };
};

/** Takes the store for an import alone. Throws `StoreTaken`. */
export const takeStore = async (
  leases: Pick<Leases, 'take' | 'release'>,
  { patience = LEASE_TIMEOUT_MS, every = RENEWAL_INTERVAL_MS } = {},
): Promise<StoreLease> => {
  const holder = `import ${randomUUID()}`;
  const until = performance.now() + patience;
  while (performance.now() < until) {
    const lease = await takeImportLease(leases, holder);
    if (lease !== undefined) return keepRenewing(lease, every);
    await pause(RETRY_MS);
  }
  throw storeTaken();
};

export interface ImportReport {
  readonly records: number;
  readonly sha256: string;
  readonly keysNeeded: readonly string[];
}

/** Begins or resumes the import. Returns how many lines of the file the store has. */
const beginOrResume = async (store: TransferableStore, id: string): Promise<number> => {
  const unfinished = await store.unfinishedImport();
  if (unfinished === undefined) {
    if (!(await store.isFresh())) throw storeNotFresh();
  } else {
    if (unfinished.id !== id) throw otherImportUnfinished(unfinished.id);
    if (unfinished.lines > 0) return unfinished.lines;
  }
  // An import without a saved line may have been interrupted in `startImport`, so this runs again.
  await store.startImport({ id, lines: 0 });
  return 0;
};

/** The most records, and bytes of records, in one write. */
const BATCH = { records: 200, bytes: 2_097_152 };

/** Gathers records of one section, writes them together, and then saves the progress of the import. */
const makeBatchWriter = (
  store: TransferableStore,
  renewLease: () => Promise<void>,
  saveProgress: (lines: number) => Promise<void>,
) => {
  let gathered: RecordLine[] = [];
  let firstIndex = 0;
  let bytes = 0;
  let lastLine = 0;

  const writeTo = async <Name extends Section>(section: Name): Promise<void> => {
    // The checksums match, so a store wrote these records.
    const records = gathered.map(({ record }) => record as TransferredRecords[Name]);
    await store.sections[section].write(records, firstIndex);
  };

  const flush = async (): Promise<void> => {
    const [first] = gathered;
    if (first === undefined) return;
    await renewLease();
    await writeTo(first.section);
    gathered = [];
    bytes = 0;
    await saveProgress(lastLine);
  };

  return {
    flush,
    /** `index` is the record's number within its section, from 0; `length` is that of its line in bytes. */
    take: async (record: RecordLine, index: number, lineNumber: number, length: number): Promise<void> => {
      if (gathered[0]?.section !== record.section) await flush();
      if (gathered.length === 0) firstIndex = index;
      gathered.push(record);
      bytes += length;
      lastLine = lineNumber;
      if (gathered.length >= BATCH.records || bytes >= BATCH.bytes) await flush();
    },
  };
};

/**
 * Imports a file that `exportStore` wrote and `checkExport` has checked into an unused store. An interrupted import
 * continues when it is repeated with the same file; until its end no server works on the store, and no other import writes
 * to it. Throws `StoreNotFresh`, `OtherImportUnfinished`, `StoreTaken`, `SharedLoginKey`, and `BrokenExport` if the file has
 * changed.
 */
export const importStore = async ({
  store,
  lease,
  checked,
  onProgress,
}: {
  readonly store: TransferableStore;
  readonly lease: Pick<StoreLease, 'renew'>;
  readonly checked: CheckedExport;
  /** Gets the imported share of the file, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}): Promise<ImportReport> => {
  const { file, sha256, heading } = checked;
  const { size } = await stat(file);
  const linesImported = await beginOrResume(store, sha256);

  const renewLease = async (): Promise<void> => {
    if (!(await lease.renew())) throw storeTaken();
  };
  const batchWriter = makeBatchWriter(store, renewLease, (lines) =>
    store.saveProgress({ id: sha256, lines } satisfies ImportProgress),
  );
  const counts = new Map<Section, number>(SECTIONS.map((section) => [section, 0]));
  let records = 0;
  const checkedAgain = await checkExport(file, async ({ number, line, bytes, end }) => {
    // Of all lines, only those of records have a `place`.
    if (!('place' in line)) return;
    const index = counts.get(line.section) ?? 0;
    counts.set(line.section, index + 1);
    records += 1;
    if (number > linesImported) await batchWriter.take(line, index, number, bytes.length);
    onProgress(end / size);
  });
  // Which line was changed is unknown, so the error names the first.
  if (checkedAgain.sha256 !== sha256) throw brokenExport(file, 1, 'the file was changed meanwhile');
  await batchWriter.flush();
  await renewLease();
  await store.endImport();
  return { records, sha256, keysNeeded: heading.keysNeeded };
};
