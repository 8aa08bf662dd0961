import { ARRAY_END, ARRAY_OPEN, COMMA, makeJsonWalk, OBJECT_END } from './json-walk.ts';
import { type Chunks, makeCollector, type Piece } from './pieces.ts';

/** An element of the array with that name; the name is empty where the document is the array itself. */
export interface Element extends Piece {
  readonly array: string;
}

/**
 * The elements of arrays in a JSON document of any length: of the document itself where it is an array, else of its
 * members that `wanted` names. An element can be broken without the others, as long as its brackets match. Throws
 * `invalid` (`broken_export`) where brackets do not match or the document does not end.
 */
export async function* splitElements(chunks: Chunks, wanted: readonly string[]): AsyncGenerator<Element> {
  const collector = makeCollector();
  const walk = makeJsonWalk();
  const isWanted = (name: string | undefined): name is string =>
    name !== undefined && (name === '' || wanted.includes(name));
  let inside: { readonly array: string; readonly depth: number } | undefined;
  let position = 0;

  for await (const chunk of chunks) {
    let from = 0;
    const beginAt = (at: number) => {
      from = at;
      collector.begin(position + at);
    };
    const endAt = (at: number, array: string): Element => {
      collector.add(chunk.subarray(from, at));
      const piece = collector.end();
      beginAt(at + 1);
      return { ...piece, array };
    };
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (!walk.take(byte)) continue;
      if (inside === undefined) {
        const array = byte === ARRAY_OPEN ? walk.name() : undefined;
        if (!isWanted(array)) continue;
        inside = { array, depth: walk.depth() };
        beginAt(at + 1);
      } else if (byte === COMMA && walk.depth() === inside.depth) {
        yield endAt(at, inside.array);
      } else if ((byte === ARRAY_END || byte === OBJECT_END) && walk.depth() < inside.depth) {
        const last = endAt(at, inside.array);
        if (last.text?.trim() !== '') yield last;
        inside = undefined;
      }
    }
    if (inside !== undefined) collector.add(chunk.subarray(from));
    position += chunk.length;
  }
  walk.end();
}
