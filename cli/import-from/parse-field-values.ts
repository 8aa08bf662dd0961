import { type Fields, isFields } from '../../core/import-lines.ts';
import { isoTime } from '../../core/iso-times.ts';

/** The wrappers of ids, times and numbers by MongoDB's tools (Extended JSON). */
const EXTENDED = ['$oid', '$date', '$numberLong', '$numberInt'];

/** The deepest nesting is a number within a date. */
const DEEPEST_EXTENDED = 2;

const unwrap = (value: unknown, levels = DEEPEST_EXTENDED): unknown => {
  if (levels === 0 || !isFields(value)) return value;
  const [name = '', ...otherNames] = Object.keys(value);
  return otherNames.length === 0 && EXTENDED.includes(name) ? unwrap(value[name], levels - 1) : value;
};

/** A text or number as trimmed text; undefined if empty or of another type. */
export const textOf = (value: unknown): string | undefined => {
  const plain = unwrap(value);
  const text = typeof plain === 'number' ? String(plain) : plain;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
};

const YES: readonly unknown[] = [true, 1, '1', 't', 'true', 'TRUE'];

/** Whether the value is one of the forms in which databases write true. */
export const isYes = (value: unknown): boolean => YES.includes(unwrap(value));

/** Seconds reach this number in the year 5138, milliseconds in 1973. */
const FIRST_MILLISECONDS = 1e11;

const inMilliseconds = (time: number): number => (time < FIRST_MILLISECONDS ? time * 1_000 : time);

/** Postgres writes `2024-01-31 12:00:00.123456+00`. Without a zone the products mean UTC. Groups: day, time, milliseconds. */
const POSTGRES = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*(?:Z|\+00(?::?00)?|)$/;

/** The ISO 8601 form of a database time, of Unix seconds or milliseconds, or of what `Date.parse` reads; else undefined. */
export const timeOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const [, day, clock, fraction = ''] = POSTGRES.exec(text) ?? [];
  const time = /^\d{1,16}$/.test(text)
    ? inMilliseconds(Number(text))
    : Date.parse(day === undefined ? text : `${day}T${clock}${fraction}Z`);
  const iso = Number.isNaN(new Date(time).getTime()) ? '' : isoTime(time);
  // The import refuses years beyond 9999, which have a sign.
  return /^\d/.test(iso) ? iso : undefined;
};

/** The objects of a list, which may be a JSON text, as in a column of a table. */
export const listOf = (value: unknown): readonly Fields[] => {
  const list = parsed(value);
  return Array.isArray(list) ? list.filter(isFields) : [];
};

/** An object, which may be a JSON text; empty for any other value. */
export const objectOf = (value: unknown): Fields => {
  const object = parsed(value);
  return isFields(object) ? object : {};
};

const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};

const NOTHING: readonly unknown[] = [null, undefined, false, '', '{}', '[]', 'f', 'false', 'null'];

const isNothing = (value: unknown): boolean =>
  NOTHING.includes(value) || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);

/** The names of the non-empty members whose loss is reported: all but the known ones, which are imported or of no use here. */
export const othersOf = (fields: Fields, knownNames: readonly string[]): readonly string[] =>
  Object.keys(fields).filter((name) => !knownNames.includes(name) && !isNothing(fields[name]));

/** Turns `email_verified` into `emailVerified`: tables use either spelling. */
export const inCamelCase = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/(?<=[a-z])_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
