import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { SECTIONS, type Section } from '../../moving/sections.ts';

// The file of a moved installation: JSON lines. A heading; for each section its records, then how many there were and
// the SHA-256 of their lines; at the end the same over all lines before it.

export interface Heading {
  readonly product: 'gatehouse';
  readonly format: 1;
  readonly version: string;
  readonly madeAt: string;
  /** Whose it is: the first value of its audit log's chain, or null where there is none. */
  readonly origin: string | null;
  /** Key files without which what they sealed cannot be opened. */
  readonly keysNeeded: readonly string[];
}

export type Line =
  | Heading
  | { readonly section: Section; readonly place: string; readonly record: unknown }
  | { readonly section: Section; readonly count: number; readonly sha256: string }
  | { readonly lines: number; readonly sha256: string };

/** It is not a whole file of this kind. */
export class BrokenExport extends Error {
  constructor(line: number, reason: string) {
    super(`Line ${line} of the file is not what an export has there: ${reason}.`);
    this.name = 'BrokenExport';
  }
}

/** A line of the file as it stands, with where it ends. */
export interface ReadLine {
  readonly number: number;
  readonly line: Line;
  /** With its line feed. */
  readonly text: string;
  /** Bytes up to its end. */
  readonly end: number;
}

const isSection = (value: unknown): value is Section => SECTIONS.some((section) => section === value);

const lineOf = (text: string, number: number): Line => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BrokenExport(number, 'it is no JSON');
  }
  if (typeof value !== 'object' || value === null) throw new BrokenExport(number, 'it is no object');
  if ('section' in value && !isSection(value.section)) throw new BrokenExport(number, 'no such section');
  return value as Line;
};

/** Reads the whole lines of a file; what stands behind the last line feed is left out. */
export async function* readLines(file: string): AsyncGenerator<ReadLine> {
  let [rest, end, number] = [Buffer.alloc(0), 0, 0];
  for await (const chunk of createReadStream(file)) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10, from)) {
      const text = rest.toString('utf8', from, at + 1);
      number += 1;
      end += at + 1 - from;
      yield { number, line: lineOf(text, number), text, end };
      from = at + 1;
    }
    rest = rest.subarray(from);
  }
}

/** The checksums of a file, line after line. */
export interface Sums {
  /** A record of the section under way. */
  addRecord(text: string): void;
  /** Any other line. */
  add(text: string): void;
  /** Ends a section: how many records it had, and their checksum. */
  endSection(): { readonly count: number; readonly sha256: string };
  /** Lines so far, and their checksum. */
  total(): { readonly lines: number; readonly sha256: string };
  records(): number;
}

export const makeSums = (): Sums => {
  const whole = createHash('sha256');
  let [section, count, lines]: [Hash, number, number] = [createHash('sha256'), 0, 0];
  const add = (text: string) => {
    whole.update(text);
    lines += 1;
  };
  return {
    add,
    addRecord: (text) => {
      add(text);
      section.update(text);
      count += 1;
    },
    endSection: () => {
      const ended = { count, sha256: section.digest('hex') };
      section = createHash('sha256');
      count = 0;
      return ended;
    },
    total: () => ({ lines, sha256: whole.copy().digest('hex') }),
    records: () => count,
  };
};
