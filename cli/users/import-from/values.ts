import { type Fields, isFields } from '../../../core/import-lines.ts';

/** What MongoDB's tools write for ids, times and numbers (Extended JSON). */
const EXTENDED = ['$oid', '$date', '$numberLong', '$numberInt'];

const plain = (value: unknown): unknown => {
  if (!isFields(value)) return value;
  const [name = '', ...others] = Object.keys(value);
  return others.length === 0 && EXTENDED.includes(name) ? plain(value[name]) : value;
};

/** A text or number as text, trimmed; undefined for nothing. */
export const textOf = (value: unknown): string | undefined => {
  const given = plain(value);
  const text = typeof given === 'number' ? String(given) : given;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
};

const YES: readonly unknown[] = [true, 1, '1', 't', 'true', 'TRUE'];

/** True as databases write it. */
export const isYes = (value: unknown): boolean => YES.includes(plain(value));

/** Seconds reach this number in the year 5138, milliseconds in 1973. */
const FIRST_MILLISECONDS = 1e11;

const ofNumber = (number: number): number => (number < FIRST_MILLISECONDS ? number * 1_000 : number);

/** Postgres writes `2024-01-31 12:00:00.123456+00`, and means UTC where there is no zone. */
const POSTGRES = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*(?:Z|\+00(?::?00)?|)$/;

/** An ISO 8601 time, of that, of Unix seconds or milliseconds; undefined for nothing and for what is no time. */
export const timeOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const [, day, clock, fraction = ''] = POSTGRES.exec(text) ?? [];
  const time = /^\d{1,16}$/.test(text)
    ? ofNumber(Number(text))
    : Date.parse(day === undefined ? text : `${day}T${clock}${fraction}Z`);
  return Number.isNaN(time) || Math.abs(time) > 8.64e15 ? undefined : new Date(time).toISOString();
};

/** The objects of a list. A column of a table may hold it as JSON text. */
export const listOf = (value: unknown): readonly Fields[] => {
  const list = parsed(value);
  return Array.isArray(list) ? list.filter(isFields) : [];
};

/** An object, or one as JSON text; empty for what is none. */
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

/** The names of the members that hold something, without those that were read or that mean nothing elsewhere. */
export const othersOf = (fields: Fields, known: readonly string[]): readonly string[] =>
  Object.keys(fields).filter((name) => !known.includes(name) && !isNothing(fields[name]));

/** `emailVerified` of `email_verified`: tables have either. */
export const inCamelCase = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/(?<=[a-z])_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
