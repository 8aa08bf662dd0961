import { createHash } from 'node:crypto';
import { SECTIONS, type Section } from '../../transfer/sections.ts';
import { brokenExport } from '../installation-error.ts';
import {
  FORMAT,
  type Heading,
  type ReadLine,
  readLines,
  type SectionLine,
  type TotalLine,
} from './export-format.ts';

/** The checksums of a file, computed line by line. */
const makeSums = () => {
  const fileHash = createHash('sha256');
  let sectionHash = createHash('sha256');
  let count = 0;
  let lines = 0;
  const add = (line: string | Uint8Array): void => {
    fileHash.update(line);
    lines += 1;
  };
  return {
    /** Adds a line other than a record. */
    add,
    addRecord: (line: string | Uint8Array): void => {
      add(line);
      sectionHash.update(line);
      count += 1;
    },
    endSection: (): Omit<SectionLine, 'section'> => {
      const line = { count, sha256: sectionHash.digest('hex') };
      sectionHash = createHash('sha256');
      count = 0;
      return line;
    },
    /** The checksum of all lines so far. */
    total: (): TotalLine => ({ lines, sha256: fileHash.copy().digest('hex') }),
  };
};

/** A position in a file: behind this place of the section, or at the section's beginning. */
export interface ExportPosition {
  readonly section: Section;
  readonly after: string | null;
}

/** The state of the check after some lines of the file. */
export interface CheckState {
  readonly heading: Heading | undefined;
  /** Where the file continues; undefined after the last section, where only the line of the total follows. */
  readonly at: ExportPosition | undefined;
  readonly records: number;
  /** Bytes up to this position, without the line of the total: a continued export writes that line anew. */
  readonly bytes: number;
  /** The checksum of all lines before the total; undefined until the line of the total was checked. */
  readonly sha256: string | undefined;
  readonly sums: ReturnType<typeof makeSums>;
}

/** Checks the lines of a file, one after the other: their order and their checksums. */
export const makeChecker = (file: string) => {
  const sums = makeSums();
  const state: { -readonly [Name in keyof CheckState]: CheckState[Name] } = {
    heading: undefined,
    at: { section: SECTIONS[0], after: null },
    records: 0,
    bytes: 0,
    sha256: undefined,
    sums,
  };
  /** The line at which the section begins. Line 1 is the heading. */
  let sectionStart = 2;

  /** Throws `BrokenExport`. */
  const take = ({ number, line, bytes, end }: ReadLine): void => {
    const need = (condition: boolean, reason: string): void => {
      if (!condition) throw brokenExport(file, number, reason);
    };
    need(state.sha256 === undefined, 'the file continues behind its end');
    const isHeading = 'product' in line;
    need(isHeading === (number === 1), 'only the first line of a file is its heading');
    if (isHeading) {
      need(line.product === 'gatehouse', 'another program wrote the file');
      need(
        line.format === FORMAT,
        `the file has format ${line.format}, and this version reads ${FORMAT}; import it with the version that wrote it, ` +
          'then run store migrate of this version on that store',
      );
      state.heading = line;
      sums.add(bytes);
    } else if ('section' in line) {
      need(line.section === state.at?.section, 'the sections are in the wrong order');
      if ('place' in line) {
        sums.addRecord(bytes);
        state.at = { section: line.section, after: line.place };
        state.records += 1;
      } else {
        const { count, sha256 } = sums.endSection();
        const matches = count === line.count && sha256 === line.sha256;
        need(matches, `the checksum of the ${line.section}, from line ${sectionStart} on, does not match`);
        sums.add(bytes);
        sectionStart = number + 1;
        const next = SECTIONS[SECTIONS.indexOf(line.section) + 1];
        state.at = next && { section: next, after: null };
      }
    } else {
      const { lines, sha256 } = sums.total();
      need(state.at === undefined, 'the file ends before its last section');
      need(
        lines === line.lines && sha256 === line.sha256,
        'the checksum of all lines before it does not match',
      );
      state.sha256 = sha256;
      return;
    }
    state.bytes = end;
  };

  return { take, currentState: (): CheckState => state };
};

/** A complete file whose checksums match. */
export interface CheckedExport {
  readonly file: string;
  readonly heading: Heading;
  readonly sha256: string;
}

/** Checks a file without storing anything. `onLine` gets each line after its check. Throws `BrokenExport`. */
export const checkExport = async (
  file: string,
  onLine?: (line: ReadLine) => Promise<void>,
): Promise<CheckedExport> => {
  const { take, currentState } = makeChecker(file);
  let last = 0;
  for await (const line of readLines(file)) {
    take(line);
    last = line.number;
    await onLine?.(line);
  }
  const { heading, sha256 } = currentState();
  if (heading === undefined || sha256 === undefined)
    throw brokenExport(file, last + 1, 'the file ends too early');
  return { file, heading, sha256 };
};
