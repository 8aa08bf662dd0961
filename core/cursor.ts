import { invalid } from './errors.ts';
import type { Digest } from './ports.ts';

/** A position in a list that is ordered by time, then id. */
export interface Position {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly id: string;
}

/** `<time>.<id>.<signature>` */
const FORM = /^([0-9]{1,16})\.([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/;

/** Cursors of one list. They are signed, so clients cannot make their own. */
export const makeCursor = (digest: Digest, list: string) => ({
  write: ({ time, id }: Position): string =>
    `${time}.${id}.${digest.keyed('cursor', `${list}:${time}.${id}`)}`,
  /** Undefined for any text that is not a cursor of this list. */
  read: (cursor: string): Position | undefined => {
    // A text of another form gives an empty signature, which is never valid.
    const [, time = '', id = '', signature = ''] = FORM.exec(cursor) ?? [];
    const validSignatures = digest.everyKeyed('cursor', `${list}:${time}.${id}`);
    return validSignatures.some((valid) => digest.equal(valid, signature))
      ? { time: Number(time), id }
      : undefined;
  },
});

/** Signed cursors of a list that is not ordered by time, then id: the position is any text. */
export const makeTextCursor = (digest: Digest, list: string) => ({
  write: (position: string): string => {
    const text = encodeURIComponent(position);
    return `${text}.${digest.keyed('cursor', `${list}:${text}`)}`;
  },
  /** Undefined for any text that is not a cursor of this list. */
  read: (cursor: string): string | undefined => {
    const end = cursor.lastIndexOf('.');
    // Without a dot, the text is empty and the whole cursor counts as the signature.
    const text = cursor.slice(0, Math.max(end, 0));
    const validSignatures = digest.everyKeyed('cursor', `${list}:${text}`);
    return validSignatures.some((valid) => digest.equal(valid, cursor.slice(end + 1)))
      ? decodeURIComponent(text)
      : undefined;
  },
});

export const invalidCursor = () => invalid('invalid_cursor', 'The cursor is not from this list.');
