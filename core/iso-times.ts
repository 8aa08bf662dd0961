import { nullable, text } from './schema.ts';

/** A time in an answer, or null. */
export const timeOrNull = (description: string, example: string | null = null) =>
  nullable(text({ format: 'date-time', description, examples: [example] }));

/** An epoch time in milliseconds as ISO 8601 in UTC. */
export const isoTime = (time: number): string => new Date(time).toISOString();

/** The UTC day of an epoch time in milliseconds, such as `2026-11-21`. */
export const isoDay = (time: number): string => isoTime(time).slice(0, 10);

export const isoTimeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));

const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Epoch milliseconds of an ISO 8601 date (UTC) or of a time with a zone; undefined for anything else. */
export const readTime = (text: string): number | undefined => {
  const time = ISO.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) return undefined;
  // `Date.parse` would move a day that the month does not have into the next month.
  const day = Number(text.slice(8, 10));
  // `Date.UTC` counts months from 0, so this is day 0 of the next month: the last day of this one.
  const lastDay = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
  return day <= lastDay ? time : undefined;
};
