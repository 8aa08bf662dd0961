import { createHash, type Hash } from 'node:crypto';
import { SECTIONS, type Section } from '../../moving/sections.ts';
import {
  BrokenExport,
  FORMAT,
  type Heading,
  type ReadLine,
  readLines,
  type SectionLine,
  type TotalLine,
} from './lines.ts';

/** The checksums of a file, line after line. */
const makeSums = () => {
  const whole = createHash('sha256');
  let [section, count, lines]: [Hash, number, number] = [createHash('sha256'), 0, 0];
  const add = (line: string | Uint8Array): void => {
    whole.update(line);
    lines += 1;
  };
  return {
    /** Any line but a record. */
    add,
    /** A record of the section under way. */
    addRecord: (line: string | Uint8Array): void => {
      add(line);
      section.update(line);
      count += 1;
    },
    /** Ends the section under way. */
    endSection: (): Omit<SectionLine, 'section'> => {
      const ended = { count, sha256: section.digest('hex') };
      [section, count] = [createHash('sha256'), 0];
      return ended;
    },
    /** Of all lines so far. */
    total: (): TotalLine => ({ lines, sha256: whole.copy().digest('hex') }),
  };
};

type Sums = ReturnType<typeof makeSums>;

/** Where a file stands: behind this place of the section, or at its beginning. */
export interface Standing {
  readonly section: Section;
  readonly after: string | null;
}

/** The state of the check after some lines of the file. */
export interface Seen {
  readonly heading: Heading | undefined;
  /** Where the file goes on; undefined when only its end is left. */
  readonly at: Standing | undefined;
  readonly records: number;
  /** Bytes up to here, the end of the file left out. */
  readonly bytes: number;
  /** The checksum of the whole, once that has ended. */
  readonly sha256: string | undefined;
  readonly sums: Sums;
}

/** Takes the lines of a file, one after the other: they are in their order, and each checksum is right. */
export const makeChecker = (file: string) => {
  const sums = makeSums();
  const state: { -readonly [Name in keyof Seen]: Seen[Name] } = {
    heading: undefined,
    at: { section: SECTIONS[0], after: null },
    records: 0,
    bytes: 0,
    sha256: undefined,
    sums,
  };
  let begins = 2;

  /** Throws `BrokenExport`. */
  const take = ({ number, line, bytes, end }: ReadLine): void => {
    const need = (holds: boolean, reason: string): void => {
      if (!holds) throw new BrokenExport(file, number, reason);
    };
    need(state.sha256 === undefined, 'there is more behind its end');
    need('product' in line === (number === 1), 'a file has one heading, and begins with it');
    if ('product' in line) {
      need(line.product === 'gatehouse', 'it is of another program');
      need(
        line.format === FORMAT,
        `it is of format ${line.format}, and this version reads ${FORMAT}; import it with the version that wrote it, ` +
          'then run store migrate of this one on that store',
      );
      state.heading = line;
      sums.add(bytes);
    } else if ('section' in line) {
      need(line.section === state.at?.section, 'the sections are in another order');
      if ('place' in line) {
        sums.addRecord(bytes);
        state.at = { section: line.section, after: line.place };
        state.records += 1;
      } else {
        const { count, sha256 } = sums.endSection();
        const isRight = count === line.count && sha256 === line.sha256;
        need(isRight, `the checksum of the ${line.section}, from line ${begins} on, is another`);
        sums.add(bytes);
        begins = number + 1;
        const next = SECTIONS[SECTIONS.indexOf(line.section) + 1];
        state.at = next && { section: next, after: null };
      }
    } else {
      const { lines, sha256 } = sums.total();
      need(state.at === undefined, 'it ends before its last section');
      need(lines === line.lines && sha256 === line.sha256, 'the checksum of all lines before it is another');
      state.sha256 = sha256;
      return;
    }
    state.bytes = end;
  };

  return { take, seen: (): Seen => state };
};

/** A whole file. */
export interface CheckedExport {
  readonly file: string;
  readonly heading: Heading;
  readonly sha256: string;
}

/** The lines of a file, each once it was checked; gives what the file is when it has ended. Throws `BrokenExport`. */
export async function* checkedLines(file: string): AsyncGenerator<ReadLine, CheckedExport> {
  const { take, seen } = makeChecker(file);
  let last = 0;
  for await (const line of readLines(file)) {
    take(line);
    last = line.number;
    yield line;
  }
  const { heading, sha256 } = seen();
  if (heading === undefined || sha256 === undefined)
    throw new BrokenExport(file, last + 1, 'the file ends too early');
  return { file, heading, sha256 };
}

/** Reads a file to its end, and nothing else. Throws `BrokenExport`. */
export const checkExport = async (file: string): Promise<CheckedExport> => {
  const lines = checkedLines(file);
  for (;;) {
    const { done, value } = await lines.next();
    if (done) return value;
  }
};
