import type { AuditHead, AuditRow } from '../../../core/accounts/ports.ts';
import type { IdempotentDocument } from '../engine/idempotent-writes.ts';
import { integer, text, textOrNull } from '../engine/scalars.ts';

/** A stored row. Its number is the number of its block plus its index in the block. */
type StoredRow = Omit<AuditRow, 'number'>;

/** The rows of one append. Their indexes never change: an erasure empties a row in place. See decision 0067. */
export interface AuditBlock extends IdempotentDocument {
  /** The number of its first row. */
  readonly _id: number;
  readonly rows: readonly StoredRow[];
  /** The log's head after the last row. Removed once the head's document, which is written later, has this or a later head. */
  readonly head?: AuditHead;
}

/** Matches every block, whose id is a number, and no document with another id: `$gte` of a number matches numbers only. */
export const NUMBERED = { _id: { $gte: Number.NEGATIVE_INFINITY } } as const;

/** The block of an append, which has at least one row. Throws a `TypeError` for values of other types than the declared ones. */
export const blockOf = (rows: readonly AuditRow[], head: AuditHead) => {
  const headNumber = integer(head.number);
  // The default is for the compiler.
  const [first = headNumber] = rows.map(({ number }) => integer(number));
  return {
    _id: first,
    rows: rows.map(storedRow),
    head: { number: headNumber, value: text(head.value), signature: text(head.signature) },
  };
};

const storedRow = ({ entryId, target, actor, content, salt, digest, value }: AuditRow): StoredRow => ({
  entryId: text(entryId),
  target: text(target),
  actor: text(actor),
  content: textOrNull(content),
  salt: textOrNull(salt),
  digest: text(digest),
  value: text(value),
});

/** The rows with their numbers. No row is left out: verification must see rows that somebody tampered with. */
export const rowsOf = ({ _id: first, rows }: AuditBlock): readonly AuditRow[] =>
  rows.map(({ entryId, target, actor, content, salt, digest, value }, index) => ({
    number: Number(first) + index,
    entryId: String(entryId),
    target: String(target),
    actor: String(actor),
    content: typeof content === 'string' ? content : null,
    salt: typeof salt === 'string' ? salt : null,
    digest: String(digest),
    value: String(value),
  }));
