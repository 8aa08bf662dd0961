/** Milliseconds from `now` that a `Retry-After` (RFC 9110 section 10.2.3: seconds or a date) asks for; null if it is invalid. */
export const retryAfter = (value: string | undefined, now: number): number | null => {
  if (value === undefined) return null;
  const text = value.trim();
  // `Date.parse` would take `-1` and `1.5` for dates; those of HTTP begin with the name of a day.
  const date = /^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
  const wait = /^\d+$/.test(text) ? Number(text) * 1_000 : date - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
};
