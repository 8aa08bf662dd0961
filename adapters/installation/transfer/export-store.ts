import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { hasCode, linkIfFree, syncFolder } from '../../files/atomic-write.ts';
import { takeFileLock } from '../../sqlite/engine/file-lock.ts';
import { SECTIONS, type Section, type TransferableStore } from '../../transfer/sections.ts';
import { FileExists } from '../backup.ts';
import { type CheckState, makeChecker } from './check-export.ts';
import { type Heading, type Line, readLines } from './export-format.ts';

/** Characters that are gathered for one write. */
const GATHERED = 262_144;

/** Writes lines into a file, from the byte `start` on. */
const makeLineWriter = (handle: FileHandle, start: number) => {
  let waiting: string[] = [];
  let length = 0;
  let position = start;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(waiting.join(''));
    waiting = [];
    length = 0;
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position);
      written += bytesWritten;
      position += bytesWritten;
    }
  };
  return {
    flush,
    /** `note` gets the text of the line. */
    add: async (line: Line, note: (text: string) => void): Promise<void> => {
      const text = `${JSON.stringify(line)}\n`;
      note(text);
      waiting.push(text);
      length += text.length;
      if (length >= GATHERED) await flush();
    },
  };
};

/** This export cannot continue `FILE.part`, and left it unchanged. */
export class ForeignPart extends Error {
  constructor(part: string) {
    super(
      `${part} is not an export of this installation and was left unchanged: move it away, or name another file.`,
    );
    this.name = 'ForeignPart';
  }
}

/** The beginning of an export. */
const BEGINNING = '{"product":"gatehouse"';

/** The beginning of the file; undefined if it does not exist. */
const beginningOf = async (part: string): Promise<string | undefined> => {
  try {
    const handle = await open(part);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING.length), 0, BEGINNING.length, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/**
 * The state of an interrupted export in `FILE.part`, which this export continues behind the last complete line. Without
 * the file, or if the store was used since, the export begins anew: pages from before and after do not belong together.
 * Throws `ForeignPart`, and `BrokenExport` for a changed file.
 */
const resumeExport = async (part: string, heading: Heading): Promise<CheckState> => {
  const beginning = await beginningOf(part);
  const { take, currentState } = makeChecker(part);
  if (beginning === undefined) return currentState();
  // The first line may be incomplete, too.
  if (!BEGINNING.startsWith(beginning)) throw new ForeignPart(part);
  for await (const line of readLines(part)) {
    take(line);
    if (line.number > 1) continue;
    if (currentState().heading?.origin !== heading.origin) throw new ForeignPart(part);
    if (currentState().heading?.state !== heading.state) return makeChecker(part).currentState();
  }
  return currentState();
};

/** Another process writes the file. */
export class ExportUnderWay extends Error {
  constructor(file: string) {
    super(`Another export into ${file} is under way: wait until it has ended, or name another file.`);
    this.name = 'ExportUnderWay';
  }
}

/** Works on a file as the only process of the machine. Throws `ExportUnderWay`. */
export const withFileLock = async <T>(file: string, work: () => Promise<T>): Promise<T> => {
  const lock = takeFileLock(`${file}.lock`, 'exclusive', 0);
  if (lock === undefined) throw new ExportUnderWay(file);
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

/** Servers work on the store, so that pages read one after the other would not belong together. */
export class StoreAtWork extends Error {
  constructor() {
    super(
      'Servers or commands are using this store, or were until a few seconds ago: stop them all, then run the command again.',
    );
    this.name = 'StoreAtWork';
  }
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
  if ((await stat(file).catch(() => undefined)) !== undefined) throw new FileExists(file);
  if (await store.isAtWork(now)) throw new StoreAtWork();
  const part = `${file}.part`;
  const { sums, bytes, at, ...resumed } = await resumeExport(part, heading);
  let { records } = resumed;
  const size = await sizeOf(store);

  const handle = await open(part, resumed.heading === undefined ? 'w' : 'r+', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.truncate(bytes);
    const { add, flush } = makeLineWriter(handle, bytes);
    if (resumed.heading === undefined) await add(heading, sums.add);
    for (const section of at === undefined ? [] : SECTIONS.slice(SECTIONS.indexOf(at.section))) {
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
    if ((await store.state()) !== heading.state) throw new StoreAtWork();
    if (!(await linkIfFree(part, file))) throw new FileExists(file);
    await rm(part);
    await syncFolder(file);
    return { file, records, sha256: total.sha256, keysNeeded: heading.keysNeeded };
  } finally {
    await handle.close();
  }
};
