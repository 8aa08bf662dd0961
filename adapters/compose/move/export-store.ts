import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { linkOnce, syncFolder } from '../../files/draft.ts';
import { type MovableStore, SECTIONS, type Section } from '../../moving/sections.ts';
import { FileExists } from '../backup.ts';
import { BrokenExport, type Heading, type Line, makeSums, readLines, type Sums } from './lines.ts';

/** What is told on the way: the section under way, and how many of its records are written. */
export type OnProgress = (section: Section, records: number) => void;

export interface ExportReport {
  readonly file: string;
  readonly records: number;
  readonly sha256: string;
  readonly keysNeeded: readonly string[];
}

/** Servers work on the store: what is read page by page would not belong together. */
export class StoreAtWork extends Error {
  constructor() {
    super('Servers are at work on this store: stop them all first, so that what is moved belongs together.');
    this.name = 'StoreAtWork';
  }
}

const PAGE = 200;

/** How far a file that was begun has come: the last section, the place in it, and whether that is ended. */
interface Begun {
  readonly sums: Sums;
  readonly bytes: number;
  readonly records: number;
  readonly at: { readonly section: Section; readonly place: string | null; readonly ended: boolean } | null;
}

const NOTHING = (): Begun => ({ sums: makeSums(), bytes: 0, records: 0, at: null });

const begunIn = async (part: string, heading: Heading): Promise<Begun> => {
  if ((await stat(part).catch(() => undefined)) === undefined) return NOTHING();
  const sums = makeSums();
  let [bytes, records]: [number, number] = [0, 0];
  let at: Begun['at'] = null;
  for await (const { number, line, text, end } of readLines(part)) {
    if ('product' in line) {
      // Of another installation: to go on with it would mix the two.
      if (line.origin !== heading.origin) throw new BrokenExport(number, 'it is of another installation');
      sums.add(text);
    } else if ('place' in line) {
      sums.addRecord(text);
      records += 1;
      at = { section: line.section, place: line.place, ended: false };
    } else if ('section' in line) {
      sums.endSection();
      sums.add(text);
      at = { section: line.section, place: null, ended: true };
    } else break;
    bytes = end;
  }
  return { sums, bytes, records, at };
};

/**
 * Writes everything that a store keeps into a file, section by section. One that was cut short leaves `FILE.part`, and
 * the next goes on behind its last whole line. Throws `FileExists`, `StoreAtWork`, `BrokenExport` for another's part.
 */
export const exportStore = async (given: {
  readonly store: MovableStore;
  readonly file: string;
  readonly heading: Heading;
  readonly now: number;
  readonly onProgress: OnProgress;
}): Promise<ExportReport> => {
  const { store, heading, onProgress } = given;
  const file = resolve(given.file);
  if ((await stat(file).catch(() => undefined)) !== undefined) throw new FileExists(file);
  if (await store.isAtWork(given.now)) throw new StoreAtWork();
  const part = `${file}.part`;
  const { sums, bytes, at, ...begun } = await begunIn(part, heading);
  let { records } = begun;

  const handle = await open(part, bytes === 0 ? 'w' : 'r+', 0o600);
  try {
    await handle.truncate(bytes);
    const writer = makeLineWriter(handle, bytes);
    const add = (line: Line, note: (text: string) => void) => {
      const text = `${JSON.stringify(line)}\n`;
      note(text);
      return writer.add(text);
    };
    if (bytes === 0) await add(heading, sums.add);
    const done = at === null ? -1 : SECTIONS.indexOf(at.section) - (at.ended ? 0 : 1);
    for (const section of SECTIONS.slice(done + 1)) {
      let after = at?.section === section ? at.place : null;
      for (;;) {
        const page = await store.sections[section].read(after, PAGE);
        for (const { place, record } of page) {
          await add({ section, place, record }, sums.addRecord);
          after = place;
        }
        records += page.length;
        onProgress(section, sums.records());
        if (page.length === 0) break;
      }
      await add({ section, ...sums.endSection() }, sums.add);
    }
    const total = sums.total();
    await add(total, sums.add);
    await writer.flush();
    await handle.sync();
    if (!(await linkOnce(part, file))) throw new FileExists(file);
    await rm(part);
    await syncFolder(file);
    return { file, records, sha256: total.sha256, keysNeeded: heading.keysNeeded };
  } finally {
    await handle.close();
  }
};

/** Characters that are gathered before they are written. */
const GATHERED = 262_144;

const makeLineWriter = (handle: FileHandle, from: number) => {
  let [waiting, length, position]: [string[], number, number] = [[], 0, from];
  const flush = async () => {
    const bytes = Buffer.from(waiting.join(''));
    [waiting, length] = [[], 0];
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position);
      written += bytesWritten;
      position += bytesWritten;
    }
  };
  return {
    flush,
    add: async (text: string) => {
      waiting.push(text);
      length += text.length;
      if (length >= GATHERED) await flush();
    },
  };
};
