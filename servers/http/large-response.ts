import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type ClientKey, makeFairTurns } from './fair-turns.ts';

/** Bytes or characters above which a body is written in pieces. */
const LARGE = 32_768;

/** Bytes of a piece. A client that takes less than one in 10 s is cut off. */
const PIECE = 16_384;

/** Pieces of all answers in one turn of the event loop: about a millisecond of work. */
const PIECES_IN_A_TURN = 32;

/** The most bytes that all large bodies under way may take in this process. */
const MOST = 67_108_864;

export const isLarge = (body: Uint8Array | string): boolean => body.length > LARGE;

/** Bytes that responses are still sending. */
interface Source {
  /** The name of the bytes, or the object that holds them. */
  readonly key: string | object;
  readonly bytes: Uint8Array;
  readonly answers: Set<ServerResponse>;
}

/** The large bodies under way in this process, the oldest first. */
const sources = new Map<Source['key'], Source>();
let total = 0;

const turns = makeFairTurns(PIECES_IN_A_TURN);

const remove = (source: Source): void => {
  if (sources.get(source.key) !== source) return;
  sources.delete(source.key);
  total -= source.bytes.byteLength;
};

const add = (bytes: Uint8Array, key: Source['key']): Source => {
  const shared = sources.get(key);
  if (shared !== undefined) return shared;
  const source = { key, bytes, answers: new Set<ServerResponse>() };
  sources.set(key, source);
  total += bytes.byteLength;
  return source;
};

/** Ends the connections of the oldest answers until the bodies of the others have room. */
const makeRoom = (latest: Source): void => {
  for (const source of sources.values()) {
    if (total <= MOST) return;
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
 * A large body in pieces, each written in its turn after the client has taken the previous one. Beyond 64 MB of all
 * bodies under way, the connections of the oldest end.
 */
export const inPieces = (res: ServerResponse, body: LargeBody): Readable => {
  const source = add(body.bytes, body.key);
  const { bytes, answers } = source;
  answers.add(res);
  makeRoom(source);
  let at = 0;
  return new Readable({
    highWaterMark: PIECE,
    read() {
      turns.run(body.client, () => {
        if (this.destroyed) return;
        this.push(bytes.subarray(at, at + PIECE));
        at += PIECE;
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
