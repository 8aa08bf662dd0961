import { open, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { linkOnce, syncFolder } from '../../files/draft.ts';
import { type MovableStore, SECTIONS, type Section } from '../../moving/sections.ts';
import { FileExists } from '../backup.ts';
import { alone } from './alone.ts';
import { begunExport } from './begun-export.ts';
import { makeLineWriter } from './line-writer.ts';
import type { Heading } from './lines.ts';

/** What is told on the way: how much is written, from 0 to 1 or about that, and the section under way. */
export type OnProgress = (share: number, section: Section) => void;

export interface ExportReport {
  readonly file: string;
  readonly records: number;
  readonly sha256: string;
  readonly keysNeeded: readonly string[];
}

/** Servers work on the store: what is read page by page, or written, would not belong together. */
export class StoreAtWork extends Error {
  constructor() {
    super(
      'Servers or commands are at work on this store, or were until a few seconds ago: stop them all, and run it again.',
    );
    this.name = 'StoreAtWork';
  }
}

const PAGE = 200;

/** About how many records a store has, at least 1. */
const sizeOf = async (store: MovableStore): Promise<number> => {
  let size = 0;
  for (const section of SECTIONS) size += await store.sections[section].count();
  return Math.max(1, size);
};

interface Given {
  readonly store: MovableStore;
  readonly file: string;
  readonly heading: Heading;
  readonly now: number;
  readonly onProgress: OnProgress;
}

/**
 * Writes everything that a store keeps into a file, section by section. One that was cut short leaves `FILE.part`, and
 * the next goes on behind its last whole line. Throws `FileExists`, `ExportUnderWay`, `StoreAtWork`, `ForeignPart`,
 * `BrokenExport`.
 */
export const exportStore = (given: Given): Promise<ExportReport> => {
  const file = resolve(given.file);
  return alone(file, () => writeExport({ ...given, file }));
};

const writeExport = async ({ store, file, heading, now, onProgress }: Given): Promise<ExportReport> => {
  if ((await stat(file).catch(() => undefined)) !== undefined) throw new FileExists(file);
  if (await store.isAtWork(now)) throw new StoreAtWork();
  const part = `${file}.part`;
  const { sums, bytes, at, ...begun } = await begunExport(part, heading);
  let { records } = begun;
  const size = await sizeOf(store);

  const handle = await open(part, begun.heading === undefined ? 'w' : 'r+', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.truncate(bytes);
    const { add, flush } = makeLineWriter(handle, bytes);
    if (begun.heading === undefined) await add(heading, sums.add);
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
    if (!(await linkOnce(part, file))) throw new FileExists(file);
    await rm(part);
    await syncFolder(file);
    return { file, records, sha256: total.sha256, keysNeeded: heading.keysNeeded };
  } finally {
    await handle.close();
  }
};
