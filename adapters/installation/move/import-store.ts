import { stat } from 'node:fs/promises';
import type { Hold } from '../../moving/hold.ts';
import {
  type ImportMark,
  type MovableStore,
  type Moved,
  SECTIONS,
  type Section,
} from '../../moving/sections.ts';
import { type CheckedExport, checkedLines } from './checker.ts';
import { BrokenExport, type RecordLine } from './lines.ts';
import { StoreTaken } from './taken-store.ts';

export interface ImportReport {
  readonly records: number;
  readonly sha256: string;
  readonly keysNeeded: readonly string[];
}

/** The store holds something already: nothing was imported. */
export class StoreNotFresh extends Error {
  constructor() {
    super(
      'The store holds users or other records already: an installation is imported into an empty one only.',
    );
    this.name = 'StoreNotFresh';
  }
}

/** An import of something else was begun into the store: nothing was imported. */
export class OtherImportBegun extends Error {
  constructor(sha256: string) {
    super(
      `An import of another file, with the SHA-256 ${sha256}, was begun into this store and has not ended: run store import with that file again, or take an empty store.`,
    );
    this.name = 'OtherImportBegun';
  }
}

/** Begins the import, or goes on with it: gives how many lines of the file are in the store. */
const beginIn = async (store: MovableStore, id: string): Promise<number> => {
  const begun = await store.mark();
  if (begun === undefined && !(await store.isFresh())) throw new StoreNotFresh();
  if (begun !== undefined && begun.id !== id) throw new OtherImportBegun(begun.id);
  if (begun !== undefined && begun.lines > 0) return begun.lines;
  await store.begin({ id, lines: 0 });
  return 0;
};

/** The most records, and bytes of records, in one write. */
const BATCH = { records: 200, bytes: 2_097_152 };

/** Gathers records of one section and writes them together; the mark follows what was written. */
const makeTaker = (
  store: MovableStore,
  keep: () => Promise<void>,
  mark: (lines: number) => Promise<void>,
) => {
  let gathered: RecordLine[] = [];
  let [from, bytes, lines] = [0, 0, 0];

  const writeTo = async <Name extends Section>(section: Name): Promise<void> => {
    // The checksums are right, so these are what a store gave.
    const records = gathered.map(({ record }) => record as Moved[Name]);
    await store.sections[section].write(records, from);
  };

  const flush = async (): Promise<void> => {
    const [first] = gathered;
    if (first === undefined) return;
    await keep();
    await writeTo(first.section);
    [gathered, bytes] = [[], 0];
    await mark(lines);
  };

  return {
    flush,
    /** `place` is its number within the section, from 0, `line` that in the file. */
    take: async (record: RecordLine, place: number, line: number, length: number): Promise<void> => {
      if (gathered[0]?.section !== record.section) await flush();
      if (gathered.length === 0) from = place;
      gathered.push(record);
      bytes += length;
      lines = line;
      if (gathered.length >= BATCH.records || bytes >= BATCH.bytes) await flush();
    },
  };
};

/**
 * Takes over what `exportStore` wrote, and `checkExport` has checked, into a store that nobody used yet. One that was
 * cut short goes on where it was when it is begun again with the same file; until it has ended no server works on the
 * store, and no other import writes to it. Throws `StoreNotFresh`, `OtherImportBegun`, `StoreTaken`, and `BrokenExport`
 * when the file has changed.
 */
export const importStore = async (given: {
  readonly store: MovableStore;
  readonly hold: Pick<Hold, 'keep'>;
  readonly checked: CheckedExport;
  /** Bytes of the file that are in the store. */
  readonly onProgress: (share: number) => void;
}): Promise<ImportReport> => {
  const { store, hold, checked, onProgress } = given;
  const { file, sha256, heading } = checked;
  const { size } = await stat(file);
  const begun = await beginIn(store, sha256);

  const keep = async (): Promise<void> => {
    if (!(await hold.keep())) throw new StoreTaken();
  };
  const taker = makeTaker(store, keep, (lines) => store.advance({ id: sha256, lines } satisfies ImportMark));
  const places = new Map<Section, number>(SECTIONS.map((section) => [section, 0]));
  let records = 0;
  const lines = checkedLines(file);
  for (let next = await lines.next(); ; next = await lines.next()) {
    if (next.done) {
      if (next.value.sha256 !== sha256) throw new BrokenExport(file, 1, 'the file was changed meanwhile');
      break;
    }
    const { number, line, bytes, end } = next.value;
    if (!('place' in line)) continue;
    const place = places.get(line.section) ?? 0;
    places.set(line.section, place + 1);
    records += 1;
    if (number > begun) await taker.take(line, place, number, bytes.length);
    onProgress(end / size);
  }
  await taker.flush();
  await keep();
  await store.finish();
  return { records, sha256, keysNeeded: heading.keysNeeded };
};
