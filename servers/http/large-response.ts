import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type ClientKey, makeFairTurns } from './fair-turns.ts';

/** A body with more bytes or characters is written in pieces. */
const LONGEST_UNDIVIDED_BODY = 32_768;

/**
 * Bytes of a piece. Pieces are small, since `listen/unread-answers.ts` closes a connection after 10 s without progress, and only a
 * piece that the client has taken as a whole is progress.
 */
const PIECE_BYTES = 16_384;

/** The most pieces, of all answers, in one turn of the event loop: about a millisecond of work. */
const PIECES_IN_A_TURN = 32;

/** The most bytes that all large bodies under way may take in this process. */
const MOST_BYTES_IN_ALL = 67_108_864;

export const isLarge = (body: Uint8Array | string): boolean => body.length > LONGEST_UNDIVIDED_BODY;

/** The bytes of a body, and the responses that are still sending them. */
interface Source {
  /** A name of the bytes, or the object that holds them. */
  readonly key: string | object;
  readonly bytes: Uint8Array;
  readonly answers: Set<ServerResponse>;
}

/** The large bodies under way in this process, the oldest first. */
const sources = new Map<Source['key'], Source>();
let totalBytes = 0;

const turns = makeFairTurns(PIECES_IN_A_TURN);

const remove = (source: Source): void => {
  // `makeRoom` may have removed this source already, and another source may have its key since.
  if (sources.get(source.key) !== source) return;
  sources.delete(source.key);
  totalBytes -= source.bytes.byteLength;
};

const findOrAdd = (bytes: Uint8Array, key: Source['key']): Source => {
  const shared = sources.get(key);
  if (shared !== undefined) return shared;
  const source = { key, bytes, answers: new Set<ServerResponse>() };
  sources.set(key, source);
  totalBytes += bytes.byteLength;
  return source;
};

/** Closes the connections of the oldest bodies until the others have room. */
const makeRoom = (latest: Source): void => {
  for (const source of sources.values()) {
    if (totalBytes <= MOST_BYTES_IN_ALL) return;
    if (source === latest) continue;
    remove(source);
    for (const { req } of source.answers) req.socket.destroy();
  }
};

export interface LargeBody {
  readonly bytes: Uint8Array;
  /** Bodies under way with the same key share one copy. */
  readonly key: string | object;
  readonly client: ClientKey;
}

/**
 * A stream of a large body. Each piece is written in a turn of its own, after the client has taken the previous piece. If all bodies
 * under way exceed 64 MB, the connections of the oldest bodies are closed.
 */
export const streamInPieces = (res: ServerResponse, body: LargeBody): Readable => {
  const source = findOrAdd(body.bytes, body.key);
  const { bytes, answers } = source;
  answers.add(res);
  makeRoom(source);
  let at = 0;
  return new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      turns.run(body.client, () => {
        if (this.destroyed) return;
        this.push(bytes.subarray(at, at + PIECE_BYTES));
        at += PIECE_BYTES;
        if (at >= bytes.byteLength) this.push(null);
      });
    },
    // Called when the answer is complete or its connection is closed.
    destroy(error, callback) {
      answers.delete(res);
      if (answers.size === 0) remove(source);
      callback(error);
    },
  });
};
