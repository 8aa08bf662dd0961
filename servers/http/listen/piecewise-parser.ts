import { type Connection, isInBody } from './connections.ts';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
/** The first bytes of `END_OF_HEAD`, by their number. */
const BEGINNINGS_OF_END = ['', '\r', '\r\n', '\r\n\r'];

/** Fewer bytes than any head has, so that no two heads end within them. */
const LESS_THAN_A_HEAD_BYTES = 16;

/** The least bytes of a chunked body in one piece. At most three heads of later requests fit into them. */
const LEAST_CHUNKED_BYTES = 64;

/**
 * How many of the first bytes of `END_OF_HEAD` stand at the end of all bytes so far, of which `bytes` are the latest. `matched`:
 * that number before `bytes` came.
 */
const countMatched = (matched: number, bytes: Buffer): number => {
  const last = bytes.toString('latin1', Math.max(0, bytes.length - END_OF_HEAD.length + 1));
  const end = `${BEGINNINGS_OF_END[matched]}${last}`;
  return BEGINNINGS_OF_END.findLastIndex((beginning) => end.endsWith(beginning));
};

/** Where the next `END_OF_HEAD` ends, of which the first `matched` bytes came before `at`. Negative if there is none. */
const findEndOfHead = (matched: number, chunk: Buffer, at: number): number => {
  if (matched > 0) {
    const border = [END_OF_HEAD.subarray(0, matched), chunk.subarray(at, at + END_OF_HEAD.length - 1)];
    const borderStart = at - matched;
    const start = Buffer.concat(border).indexOf(END_OF_HEAD);
    if (start >= 0) return borderStart + start + END_OF_HEAD.length;
  }
  const later = chunk.indexOf(END_OF_HEAD, at);
  return later < 0 ? -1 : later + END_OF_HEAD.length;
};

/** The parser of Node.js for one connection, which gets its bytes in pieces. */
export interface PiecewiseParser {
  /**
   * Where the next piece of the chunk ends, if it begins at `at`. At most one request begins in a piece; behind a chunked body, a
   * few may. `isFull`: the connection has so many unanswered requests that only bytes of a body may pass.
   */
  findEnd(chunk: Buffer, at: number, isFull: boolean): number;
  /** How many bytes of the chunk, from `at` on, may be of the body that the parser is in. */
  countInBody(chunk: Buffer, at: number): number;
  /** Passes a piece to the parser. */
  parse(piece: Buffer): void;
}

/** `parse` passes bytes to the parser of Node.js, which sets `latestRequest` of the connection. */
export const makePiecewiseParser = (
  connection: Connection,
  parse: (bytes: Buffer) => void,
): PiecewiseParser => {
  /** How many of the first bytes of `END_OF_HEAD` stand at the end of what the parser has got so far. */
  let matched = 0;
  /** The bytes of a body of known length that the parser has yet to get; 0 if their number is unknown, as in a chunked body. */
  let bodyLeft = 0;

  return {
    findEnd: (chunk, at, isFull) => {
      if (bodyLeft > 0) return Math.min(at + bodyLeft, chunk.length);
      // Here the bytes that pass are of a chunked body. If it ends in the piece, at most one more request begins.
      if (isFull) return Math.min(at + LESS_THAN_A_HEAD_BYTES, chunk.length);
      // If a chunked body were cut at each of its empty lines, a megabyte of it would take a second: the first bytes are not
      // searched.
      const end = isInBody(connection)
        ? findEndOfHead(0, chunk, Math.min(at + LEAST_CHUNKED_BYTES, chunk.length))
        : findEndOfHead(matched, chunk, at);
      return end < 0 ? chunk.length : end;
    },
    countInBody: (chunk, at) => (bodyLeft > 0 ? Math.min(bodyLeft, chunk.length - at) : chunk.length - at),
    parse: (piece) => {
      const requestBefore = connection.latestRequest;
      const wasInBody = isInBody(connection);
      parse(piece);
      matched = countMatched(matched, piece);
      const { latestRequest } = connection;
      const isNewRequest = latestRequest !== undefined && latestRequest !== requestBefore;
      // A chunked body ends with an empty line. Bytes behind it belong to the next head.
      const isBehindBody =
        requestBefore?.complete === true &&
        piece.length > bodyLeft &&
        !piece.subarray(-END_OF_HEAD.length).equals(END_OF_HEAD);
      connection.isInHead = !isNewRequest && (!wasInBody || isBehindBody);
      // Behind the end of a chunked body the piece may also hold the new request's head and an unknown part of its body.
      if (isNewRequest) bodyLeft = wasInBody ? 0 : Number(latestRequest.headers['content-length'] ?? 0);
      else bodyLeft = Math.max(0, bodyLeft - piece.length);
    },
  };
};
