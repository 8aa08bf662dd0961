import { createReadStream } from 'node:fs';
import { SECTIONS, type Section } from '../../moving/sections.ts';

// The file of a moved installation: JSON lines. A heading; for each section its records, then how many there were and
// the SHA-256 of their lines; at the end the same over all lines before it.

/** The version of the format: lines and the records in them. Raise it when either changes. */
export const FORMAT = 5;

export interface Heading {
  readonly product: 'gatehouse';
  readonly format: typeof FORMAT;
  readonly version: string;
  readonly madeAt: string;
  /** Identifies the installation: the first value of its audit log's chain, or null without a log. */
  readonly origin: string | null;
  /** Another one once a server or a command has worked on the store again. */
  readonly state: string;
  /** Key files without which what they sealed cannot be opened. */
  readonly keysNeeded: readonly string[];
}

export interface RecordLine {
  readonly section: Section;
  readonly place: string;
  readonly record: unknown;
}

/** Ends a section. */
export interface SectionLine {
  readonly section: Section;
  readonly count: number;
  readonly sha256: string;
}

/** Ends the file. */
export interface TotalLine {
  readonly lines: number;
  readonly sha256: string;
}

export type Line = Heading | RecordLine | SectionLine | TotalLine;

/** It is not a whole file of this kind. */
export class BrokenExport extends Error {
  constructor(file: string, line: number, reason: string) {
    super(`Line ${line} of ${file} is not what an export has there: ${reason}.`);
    this.name = 'BrokenExport';
  }
}

/** A line of the file as it stands, with where it ends. */
export interface ReadLine {
  readonly number: number;
  readonly line: Line;
  /** With its line feed. */
  readonly bytes: Uint8Array;
  /** Bytes of the file up to its end. */
  readonly end: number;
}

const LINE_END = 0x0a;

/** Bytes; more than any record needs, so that a file without a line feed cannot fill the memory. */
const LONGEST = 134_217_728;

/** Reads the whole lines of a file; what stands behind the last line feed is left out. Throws `BrokenExport`. */
export async function* readLines(file: string): AsyncGenerator<ReadLine> {
  let waiting: Buffer[] = [];
  let [length, end, number] = [0, 0, 1];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, from)) {
      const bytes = Buffer.concat([...waiting, chunk.subarray(from, at + 1)]);
      end += bytes.length;
      yield { number, line: lineOf(bytes, (reason) => new BrokenExport(file, number, reason)), bytes, end };
      [waiting, length, number, from] = [[], 0, number + 1, at + 1];
    }
    waiting.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > LONGEST) throw new BrokenExport(file, number, 'it is too long');
  }
}

const lineOf = (bytes: Buffer, broken: (reason: string) => BrokenExport): Line => {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw broken('it is no JSON');
  }
  if (!isLine(value)) throw broken('it is neither a record nor a checksum');
  return value;
};

/** What it is; whether it is right, its checksum says. */
const isLine = (value: unknown): value is Line => {
  if (typeof value !== 'object' || value === null) return false;
  if ('product' in value) return true;
  if (!('section' in value)) return 'lines' in value && 'sha256' in value;
  if (!SECTIONS.some((section) => section === value.section)) return false;
  return 'record' in value ? 'place' in value && typeof value.place === 'string' : 'sha256' in value;
};
