import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';
import type { Scalar } from '../../sql/database.ts';

/** A statement as the driver takes it. Its name is that of its text, since a pooler shares connections among processes. */
export interface PreparedText {
  readonly text: string;
  readonly name: string;
}

/** Writes `?` and `?1` as `$1`. */
const numbered = (sql: string): string => {
  let count = 0;
  return sql.replace(/\?(\d*)/g, (_, number: string) => {
    count += 1;
    return `$${number === '' ? count : number}`;
  });
};

const preparedTexts = new Map<string, PreparedText>();

/** The number of statements is that of the program's texts: values never enter one. */
export const preparedText = (sql: string): PreparedText => {
  const existing = preparedTexts.get(sql);
  if (existing !== undefined) return existing;
  const text = numbered(sql);
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  const prepared = { text, name };
  preparedTexts.set(sql, prepared);
  return prepared;
};

// PostgreSQL's JSON functions refuse the escapes of a NUL and of half a surrogate pair, and its texts cannot hold a NUL: they
// are stored in another form, which keeps the order of bytes.
const REFUSED_ESCAPE = /\\u(0000|d[89a-f][0-9a-f]{2})/gi;
const mayBeRefused = (value: string): boolean =>
  value.includes('\\u') || value.includes('\0') || value.includes('\x01');
const escapeRefused = (value: string): string =>
  mayBeRefused(value)
    ? value
        .replaceAll('\\u0001', '\\u0001\\u0002')
        .replace(REFUSED_ESCAPE, '\\u0001\\u0001$1')
        .replaceAll('\x01', '\x01\x02')
        .replaceAll('\0', '\x01\x01')
    : value;
const unescapeRefused = (cell: string): string =>
  mayBeRefused(cell)
    ? cell
        .replaceAll('\x01\x01', '\0')
        .replaceAll('\x01\x02', '\x01')
        .replace(
          /\\u0001(?:\\u0002|\\u0001([0-9a-f]{4}))/gi,
          (_, digits?: string) => `\\u${digits ?? '0001'}`,
        )
    : cell;

const BOOLEAN = 16;
/** Types by their numbers in the catalogue: int8, int2, int4, oid, float4, float8, numeric. */
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]);

const parserOf = (type: number): ((cell: string) => Scalar) => {
  if (type === BOOLEAN) return (cell) => (cell === 't' ? 1 : 0);
  return NUMBERS.has(type) ? Number : unescapeRefused;
};

/** Cells are scalars: JSON stays text, and a boolean is 1 or 0. */
export const types: NonNullable<QueryConfig['types']> = { getTypeParser: parserOf as never };

/** A parameter as text. `BigInt` keeps all digits of a large whole number, where `String` rounds them. */
export const parameterOf = (value: Scalar): string | null => {
  if (value === null) return null;
  if (typeof value === 'string') return escapeRefused(value);
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
};
