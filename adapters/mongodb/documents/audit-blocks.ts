import type { AuditHead, AuditRow } from '../../../core/accounts/ports.ts';
import type { Written } from '../engine/idempotent-writes.ts';
import { text, textOrNull, whole } from '../engine/scalars.ts';

/** A stored row. Its number is that of its block plus its place in the block. */
type StoredRow = Omit<AuditRow, 'number'>;

/**
 * The rows of one append. Their places never change: an erasure empties the content of a row in place.
 * See decision 0042.
 */
export interface AuditBlock extends Written {
  /** The number of its first row. */
  readonly _id: number;
  readonly rows: readonly StoredRow[];
  /** The head after its last row, until the document of the head has this head or a later one. */
  readonly head?: AuditHead;
}

/** Documents under any other id are no part of the log. */
export const NUMBERED = { _id: { $gte: Number.NEGATIVE_INFINITY } } as const;

/** Throws a `TypeError` for anything but text and numbers. */
export const blockOf = (rows: readonly AuditRow[], head: AuditHead) => ({
  _id: rows.map(({ number }) => whole(number))[0] ?? whole(head.number),
  rows: rows.map(storedRow),
  head: { number: whole(head.number), value: text(head.value), signature: text(head.signature) },
});

const storedRow = ({ entryId, target, actor, content, salt, digest, value }: AuditRow): StoredRow => ({
  entryId: text(entryId),
  target: text(target),
  actor: text(actor),
  content: textOrNull(content),
  salt: textOrNull(salt),
  digest: text(digest),
  value: text(value),
});

/** The rows with their numbers. Nothing is left out: verification must see what somebody tampered with. */
export const rowsOf = ({ _id: first, rows }: AuditBlock): readonly AuditRow[] =>
  rows.map(({ entryId, target, actor, content, salt, digest, value }, place) => ({
    number: Number(first) + place,
    entryId: String(entryId),
    target: String(target),
    actor: String(actor),
    content: typeof content === 'string' ? content : null,
    salt: typeof salt === 'string' ? salt : null,
    digest: String(digest),
    value: String(value),
  }));
