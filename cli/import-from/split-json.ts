import {
  brokenExport,
  type Chunks,
  cutOff,
  MOST_RECORD_BYTES,
  makeCollector,
  type Piece,
} from './collect-record-bytes.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const ARRAY_OPEN = 0x5b;
const OBJECT_OPEN = 0x7b;
const ARRAY_END = 0x5d;
const OBJECT_END = 0x7d;
const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** More than any record of at most `MOST_RECORD_BYTES` has. The limit keeps a file of brackets from filling the memory. */
const DEEPEST = 2 * MOST_RECORD_BYTES;
/** Longer than any relevant key. */
const LONGEST_KEY = 64;

/**
 * Scans a JSON document byte by byte, and knows only its strings, brackets, colons and commas. Throws `invalid`
 * (`broken_export`) if brackets do not match or are nested too deeply, or if more follows after the end.
 */
const makeJsonWalk = () => {
  /** The closing brackets that are still missing. */
  const closing: number[] = [];
  let inString = false;
  let isEscaped = false;
  let hasBegun = false;
  /** The bytes of the last string of the outermost object. */
  let lastString: number[] = [];
  /** The key of the current member of the outermost object. */
  let key: string | undefined;

  const readInString = (byte: number) => {
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) inString = false;
    if (inString && closing.length === 1 && lastString.length < LONGEST_KEY) lastString.push(byte);
  };

  const close = (byte: number) => {
    if (closing.pop() !== byte) throw brokenExport('The brackets of the document do not match.');
  };

  return {
    /** Reads the next byte; true if it is a comma or bracket of the structure. */
    read: (byte: number): boolean => {
      if (inString) {
        readInString(byte);
        return false;
      }
      if (isBlank(byte)) return false;
      if (hasBegun && closing.length === 0) throw brokenExport('More follows after the end of the document.');
      hasBegun = true;
      if (byte === QUOTE) {
        inString = true;
        if (closing.length === 1) lastString = [];
      } else if (byte === COLON) {
        if (closing.length === 1) key = Buffer.from(lastString).toString();
      } else if (byte === ARRAY_OPEN || byte === OBJECT_OPEN) {
        closing.push(byte === ARRAY_OPEN ? ARRAY_END : OBJECT_END);
        if (closing.length > DEEPEST) throw brokenExport('The document is nested too deeply.');
        return true;
      } else if (byte === ARRAY_END || byte === OBJECT_END) {
        close(byte);
        return true;
      } else {
        return byte === COMMA;
      }
      return false;
    },
    /** The number of brackets that are open. */
    depth: () => closing.length,
    /** The name of the bracket that was just opened: empty for the document itself, the key for its members, else undefined. */
    name: () => {
      if (closing.length === 1) return '';
      return closing.length === 2 && closing[0] === OBJECT_END ? key : undefined;
    },
    /** Throws `invalid` (`broken_export`) unless the document has ended. */
    end: () => {
      if (inString || closing.length > 0 || !hasBegun) throw cutOff();
    },
  };
};

/** An element of the array with that name; the name is empty where the document is the array itself. */
export interface Element extends Piece {
  readonly array: string;
}

/**
 * Splits a JSON document of any length into the elements of arrays: of the document itself if it is an array, otherwise of
 * its members with these `names`. An invalid element does not affect the others as long as its brackets match. Throws
 * `invalid` (`broken_export`) if brackets do not match or are nested too deeply, or if the document does not end or more follows.
 */
export async function* splitElements(chunks: Chunks, names: readonly string[]): AsyncGenerator<Element> {
  const collector = makeCollector();
  const walk = makeJsonWalk();
  const isSelected = (name: string | undefined): name is string =>
    name !== undefined && (name === '' || names.includes(name));
  /** The array whose elements are read. */
  let openArray: { readonly name: string; readonly depth: number } | undefined;
  let position = 0;

  for await (const chunk of chunks) {
    let start = 0;
    const beginAt = (at: number) => {
      start = at;
      collector.begin(position + at);
    };
    const endAt = (at: number, array: string): Element => {
      collector.add(chunk.subarray(start, at));
      const piece = collector.end();
      beginAt(at + 1);
      return { ...piece, array };
    };
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (!walk.read(byte)) continue;
      if (openArray === undefined) {
        const name = byte === ARRAY_OPEN ? walk.name() : undefined;
        if (!isSelected(name)) continue;
        openArray = { name, depth: walk.depth() };
        beginAt(at + 1);
      } else if (byte === COMMA && walk.depth() === openArray.depth) {
        yield endAt(at, openArray.name);
      } else if ((byte === ARRAY_END || byte === OBJECT_END) && walk.depth() < openArray.depth) {
        const element = endAt(at, openArray.name);
        // An empty array has nothing but blanks between its brackets.
        if (element.text?.trim() !== '') yield element;
        openArray = undefined;
      }
    }
    if (openArray !== undefined) collector.add(chunk.subarray(start));
    position += chunk.length;
  }
  walk.end();
}
