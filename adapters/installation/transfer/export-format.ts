import { createReadStream } from 'node:fs';
import { SECTIONS, type Section } from '../../transfer/sections.ts';
import { brokenExport } from '../installation-error.ts';

// The file of an exported installation has JSON lines: a heading; for each section its records, then their number and the
// SHA-256 of their lines; at the end the number and the SHA-256 of all lines before.

/** The version of the format: lines and the records in them. Raise it when either changes. */
export const FORMAT = 5;

export interface Heading {
  readonly product: 'gatehouse';
  readonly format: typeof FORMAT;
  readonly version: string;
  readonly madeAt: string;
  /** Identifies the installation: the first value of its audit log's chain, or null without a log. */
  readonly origin: string | null;
  /** The `state` of the store, which changes when a server, or a command with changes, works on it. */
  readonly state: string;
  /**
   * Which keys, and which folder of the billing sandbox, the imported installation needs, for people to read, such as `KMS: aws`
   * or `HASH_KEY: FILE`; no key itself.
   */
  readonly keysNeeded: readonly string[];
}

/** A record. An interrupted export continues behind `place`, a text that only the exported store understands. */
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

/** A line of the file with its position. */
export interface ReadLine {
  readonly number: number;
  readonly line: Line;
  /** The bytes of the line with its line feed. */
  readonly bytes: Uint8Array;
  /** Bytes of the file up to the line's end. */
  readonly end: number;
}

const LINE_END = 0x0a;

/** More than any record needs, so that a file without a line feed cannot fill the memory. */
const MOST_LINE_BYTES = 134_217_728;

/** Reads the complete lines of a file; bytes behind the last line feed are left out. Throws `BrokenExport`. */
export async function* readLines(file: string): AsyncGenerator<ReadLine> {
  let parts: Buffer[] = [];
  let length = 0;
  let end = 0;
  let number = 1;
  // `start` makes the first read of a pipe fail. Otherwise an import would find the pipe empty when it reads the file again.
  for await (const chunk of createReadStream(file, { start: 0 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, start)) {
      const bytes = Buffer.concat([...parts, chunk.subarray(start, at + 1)]);
      end += bytes.length;
      yield { number, line: lineOf(bytes, (reason) => brokenExport(file, number, reason)), bytes, end };
      parts = [];
      length = 0;
      number += 1;
      start = at + 1;
    }
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MOST_LINE_BYTES) throw brokenExport(file, number, 'it is too long');
  }
}

const lineOf = (bytes: Buffer, broken: (reason: string) => Error): Line => {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw broken('it is not JSON');
  }
  if (!isLine(value)) throw broken('it is neither a record nor a checksum');
  return value;
};

/** Checks the shape of a line; checksums verify its content. */
const isLine = (value: unknown): value is Line => {
  if (typeof value !== 'object' || value === null) return false;
  if ('product' in value) return true;
  if (!('section' in value)) return 'lines' in value && 'sha256' in value;
  if (!SECTIONS.some((section) => section === value.section)) return false;
  return 'record' in value ? 'place' in value && typeof value.place === 'string' : 'sha256' in value;
};
