import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ImportMark, MovableStore, Moved, Section, SectionOf } from '../../moving/sections.ts';
import { SECTIONS } from '../../moving/sections.ts';
import { BrokenExport, type Heading, makeSums, readLines } from './lines.ts';

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

interface Checked {
  readonly heading: Heading;
  readonly sha256: string;
}

/** Reads the file once, before anything is written: each checksum is right, and nothing is missing. */
const checkFile = async (file: string): Promise<Checked> => {
  const sums = makeSums();
  let heading: Heading | undefined;
  let sha256: string | undefined;
  let place = 0;
  let last = 0;
  for await (const { number, line, text } of readLines(file)) {
    last = number;
    if (sha256 !== undefined) throw new BrokenExport(number, 'there is more behind its end');
    if ('product' in line) {
      if (number !== 1 || line.product !== 'gatehouse' || line.format !== 1)
        throw new BrokenExport(number, 'another heading');
      heading = line;
      sums.add(text);
      continue;
    }
    if (heading === undefined) throw new BrokenExport(number, 'it has no heading');
    if ('section' in line) {
      if (line.section !== SECTIONS[place])
        throw new BrokenExport(number, 'the sections are in another order');
      if ('place' in line) {
        sums.addRecord(text);
        continue;
      }
      const { count, sha256: sum } = sums.endSection();
      if (count !== line.count || sum !== line.sha256)
        throw new BrokenExport(number, `${line.section} has another checksum`);
      sums.add(text);
      place += 1;
      continue;
    }
    const total = sums.total();
    if (place !== SECTIONS.length || line.lines !== total.lines || line.sha256 !== total.sha256)
      throw new BrokenExport(number, 'the whole has another checksum');
    sha256 = total.sha256;
  }
  if (heading === undefined || sha256 === undefined)
    throw new BrokenExport(last + 1, 'the file ends too early');
  return { heading, sha256 };
};

/** Records that are written together, and characters of theirs. */
const BATCH = { records: 200, characters: 2_097_152 };

/** Where a file's records go, some at a time; the mark follows what was written. */
const makeTaker = (store: MovableStore, mark: (lines: number) => Promise<void>) => {
  let [section, records, from, characters]: [Section | undefined, unknown[], number, number] = [
    undefined,
    [],
    0,
    0,
  ];

  const flush = async (lines: number) => {
    if (section === undefined || records.length === 0) return;
    // The checksums are right, so these are what a store gave.
    const into = store.sections[section] as SectionOf<Moved[Section]>;
    await into.write(records as Moved[Section][], from);
    from += records.length;
    [records, characters] = [[], 0];
    await mark(lines);
  };

  return {
    flush,
    take: async (into: Section, record: unknown, place: number, length: number, lines: number) => {
      if (section !== into) {
        await flush(lines - 1);
        [section, from] = [into, place];
      }
      records.push(record);
      characters += length;
      if (records.length >= BATCH.records || characters >= BATCH.characters) await flush(lines);
    },
  };
};

/**
 * Takes over what `exportStore` wrote, into a store that nobody used yet. One that was cut short goes on where it was
 * when it is begun again with the same file; until it has ended no server works on the store. Throws `BrokenExport`,
 * `StoreNotFresh`.
 */
export const importStore = async (given: {
  readonly store: MovableStore;
  readonly file: string;
  /** Of all bytes of the file, how many are in the store. */
  readonly onProgress: (share: number) => void;
}): Promise<ImportReport> => {
  const { store, onProgress } = given;
  const file = resolve(given.file);
  const { size } = await stat(file);
  const { heading, sha256: id } = await checkFile(file);
  const begun = await store.mark();
  if (begun === undefined ? !(await store.isFresh()) : begun.id !== id) throw new StoreNotFresh();
  const mark = (lines: number): ImportMark => ({ id, lines });
  if (begun === undefined) await store.begin(mark(0));

  const taker = makeTaker(store, (lines) => store.advance(mark(lines)));
  const places = new Map<Section, number>();
  let records = 0;
  for await (const { number, line, text, end } of readLines(file)) {
    if (!('place' in line)) continue;
    const place = places.get(line.section) ?? 0;
    places.set(line.section, place + 1);
    records += 1;
    if (number <= (begun?.lines ?? 0)) continue;
    await taker.take(line.section, line.record, place, text.length, number);
    onProgress(end / size);
  }
  await taker.flush(Number.MAX_SAFE_INTEGER);
  await store.finish();
  return { records, sha256: id, keysNeeded: heading.keysNeeded };
};
