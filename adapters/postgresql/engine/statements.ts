import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';
import type { Scalar } from '../../sql/database.ts';

/** Writes the first `?` as `$1`, the second as `$2`, and `?1` as `$1`. */
const numbered = (sql: string): string => {
  let count = 0;
  return sql.replace(/\?(\d*)/g, (_, number: string) => {
    count += 1;
    return `$${number === '' ? count : number}`;
  });
};

/** The map stays small: texts are those of the program, since values never enter them. */
const preparedTexts = new Map<string, { readonly text: string; readonly name: string }>();

/** A statement as the driver takes it. Its name is made from its text, since a pooler shares connections among processes. */
export const preparedText = (sql: string) => {
  const existing = preparedTexts.get(sql);
  if (existing !== undefined) return existing;
  const text = numbered(sql);
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  const prepared = { text, name };
  preparedTexts.set(sql, prepared);
  return prepared;
};

// PostgreSQL's texts cannot hold a NUL, and its JSON functions refuse the escapes of a NUL and of half a surrogate pair. So both
// are stored in another form: U+0001, U+0001 and four hexadecimal digits; U+0001 itself is stored as U+0001, U+0002. Their escapes
// in JSON, and in JSON within JSON, are converted, too: `\u0000` becomes `\u0001\u00010000`. A text that the server reads from
// such JSON is then in the stored form, and `fromStored` restores both the text and the JSON.
const MARK = '\x01';
// With the flag `u` this matches a lone half only: a complete pair is one character.
const SURROGATE = /\p{Surrogate}/gu;
const STORED = new RegExp(`${MARK}(?:\x02|${MARK}([0-9a-f]{4}))`, 'gi');
// Matches the escape of any surrogate, also of the halves of a pair: `fromStored` restores all alike.
const CONVERTED_ESCAPE = /(\\+)u(0000|0001|d[89a-f][0-9a-f]{2})/gi;
const STORED_ESCAPE = /(\\+)u0001\\+u(?:0002|0001([0-9a-f]{4}))/gi;

/**
 * The backslashes of an escape, which are the last of a run: one in JSON, two in JSON within JSON, four in JSON within that. Each
 * literal backslash before the escape takes twice as many. So the lowest set bit of the run's length is the number of the escape's
 * backslashes: of six, two are the escape's, and four are one literal backslash.
 */
const escapeIn = (backslashes: string): string => {
  const lowestSetBit = backslashes.length & -backslashes.length;
  return backslashes.slice(-lowestSetBit);
};

const mayNeedConversion = (value: string): boolean =>
  value.includes('\\u') || value.includes('\0') || value.includes(MARK) || !value.isWellFormed();

const toStored = (value: string): string => {
  if (!mayNeedConversion(value)) return value;
  return value
    .replaceAll(MARK, `${MARK}\x02`)
    .replaceAll('\0', `${MARK}${MARK}0000`)
    .replace(SURROGATE, (half) => `${MARK}${MARK}${half.charCodeAt(0).toString(16)}`)
    .replace(CONVERTED_ESCAPE, (_, backslashes: string, digits: string) => {
      const code = digits === '0001' ? '0002' : `0001${digits}`;
      return `${backslashes}u0001${escapeIn(backslashes)}u${code}`;
    });
};

const fromStored = (cell: string): string => {
  if (!mayNeedConversion(cell)) return cell;
  return cell
    .replace(STORED, (_, digits?: string) => String.fromCharCode(Number.parseInt(digits ?? '1', 16)))
    .replace(
      STORED_ESCAPE,
      (_, backslashes: string, digits?: string) => `${backslashes}u${digits ?? '0001'}`,
    );
};

const BOOLEAN = 16;
/** Types by their numbers in the catalogue: int8, int2, int4, oid, float4, float8, numeric. */
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]);

const parserOf = (type: number): ((cell: string) => Scalar) => {
  if (type === BOOLEAN) return (cell) => (cell === 't' ? 1 : 0);
  return NUMBERS.has(type) ? Number : fromStored;
};

/** Cells are scalars: JSON stays text, and a boolean is 1 or 0. */
export const types: NonNullable<QueryConfig['types']> = { getTypeParser: parserOf as never };

/** A parameter as text. `BigInt` keeps all digits of a large whole number, where `String` rounds them. */
export const parameterOf = (value: Scalar): string | null => {
  if (value === null) return null;
  if (typeof value === 'string') return toStored(value);
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
};
