import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { linkIfFree, syncFolderOf } from '../../files/atomic-write.ts';
import { takeFileLock } from '../../sqlite/engine/file-lock.ts';
import { SECTIONS, type Section, type TransferableStore } from '../../transfer/sections.ts';
import { exportUnderWay, fileExists, foreignPart, storeAtWork } from '../installation-error.ts';
import { type CheckState, makeChecker } from './check-export.ts';
import { type Heading, type Line, readLines } from './export-format.ts';

/** Lines are gathered up to this length and then written together. */
const WRITE_CHARACTERS = 262_144;

const makeLineWriter = (handle: FileHandle) => {
  let waiting = '';
  const flush = async (): Promise<void> => {
    const text = waiting;
    waiting = '';
    await handle.appendFile(text);
  };
  return {
    flush,
    /** `addToSum` gets the text of the line. */
    add: async (line: Line, addToSum: (text: string) => void): Promise<void> => {
      const text = `${JSON.stringify(line)}\n`;
      addToSum(text);
      waiting += text;
      if (waiting.length >= WRITE_CHARACTERS) await flush();
    },
  };
};

const BEGINNING = '{"product":"gatehouse"';

/**
 * The state of an interrupted export in `FILE.part`, which this export continues behind the last complete line. For an
 * empty file, or if the store was used since, the export begins anew: pages from before and after do not belong together.
 * Throws `ForeignPart`, and `BrokenExport` for a file that was changed or has another format.
 */
const resumeExport = async (handle: FileHandle, part: string, heading: Heading): Promise<CheckState> => {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING.length), 0, BEGINNING.length, 0);
  const { take, currentState } = makeChecker(part);
  const beginAnew = () => makeChecker(part).currentState();
  // An interruption may have cut off even the first line, so its beginning may be incomplete.
  if (!BEGINNING.startsWith(buffer.toString('utf8', 0, bytesRead))) throw foreignPart(part);
  for await (const line of readLines(part)) {
    take(line);
    if (line.number > 1) continue;
    if (currentState().heading?.origin !== heading.origin) throw foreignPart(part);
    if (currentState().heading?.state !== heading.state) return beginAnew();
  }
  return currentState();
};

/** Works on a file as the only process of the machine. Throws `ExportUnderWay`. */
export const withFileLock = async <T>(file: string, work: () => Promise<T>): Promise<T> => {
  const lock = takeFileLock(`${file}.lock`, 'exclusive', 0);
  if (lock === undefined) throw exportUnderWay(file);
  try {
    return await work();
  } finally {
    lock.release();
  }
};

/** Reports the progress: the approximate share that is written, from 0 to 1, and the current section. */
export type OnProgress = (share: number, section: Section) => void;

export interface ExportReport {
  readonly file: string;
  readonly records: number;
  readonly sha256: string;
  readonly keysNeeded: readonly string[];
}

const PAGE = 200;

/** The approximate number of records in a store, at least 1. */
const sizeOf = async (store: TransferableStore): Promise<number> => {
  let size = 0;
  for (const section of SECTIONS) size += await store.sections[section].count();
  return Math.max(1, size);
};

interface ExportInput {
  readonly store: TransferableStore;
  readonly file: string;
  readonly heading: Heading;
  readonly now: number;
  readonly onProgress: OnProgress;
}

/**
 * Writes the whole store into a file, section by section. An interrupted export leaves `FILE.part`, and the next export
 * continues behind its last complete line. Throws `FileExists`, `ExportUnderWay`, `StoreAtWork`, `ForeignPart`,
 * `BrokenExport`.
 */
export const exportStore = (input: ExportInput): Promise<ExportReport> => {
  const file = resolve(input.file);
  return withFileLock(file, () => writeExport({ ...input, file }));
};

const writeExport = async ({ store, file, heading, now, onProgress }: ExportInput): Promise<ExportReport> => {
  if ((await stat(file).catch(() => undefined)) !== undefined) throw fileExists(file);
  if (await store.isAtWork(now)) throw storeAtWork();
  const part = `${file}.part`;
  const handle = await open(part, 'a+', 0o600);
  try {
    const { sums, bytes, at, ...resumed } = await resumeExport(handle, part, heading);
    let { records } = resumed;
    const size = await sizeOf(store);
    await handle.chmod(0o600);
    // Cuts off an incomplete last line, the line of the total, or all of an export of another state of the store.
    await handle.truncate(bytes);
    const { add, flush } = makeLineWriter(handle);
    if (resumed.heading === undefined) await add(heading, sums.add);
    // Without a position all sections are written already; the line of the total is missing.
    const remaining = at === undefined ? [] : SECTIONS.slice(SECTIONS.indexOf(at.section));
    for (const section of remaining) {
      let after = at?.section === section ? at.after : null;
      for (;;) {
        const page = await store.sections[section].read(after, PAGE);
        const last = page.at(-1);
        if (last === undefined) break;
        for (const { place, record } of page) await add({ section, place, record }, sums.addRecord);
        after = last.place;
        records += page.length;
        onProgress(records / size, section);
      }
      await add({ section, ...sums.endSection() }, sums.add);
    }
    const total = sums.total();
    await add(total, sums.add);
    await flush();
    await handle.sync();
    if ((await store.state()) !== heading.state) throw storeAtWork();
    if (!(await linkIfFree(part, file))) throw fileExists(file);
    await rm(part);
    await syncFolderOf(file);
    return { file, records, sha256: total.sha256, keysNeeded: heading.keysNeeded };
  } finally {
    await handle.close();
  }
};
