/** Milliseconds from `now` that a `Retry-After` (RFC 9110 section 10.2.3: seconds or a date) asks for; null if it is invalid. */
export const retryAfter = (value: string | undefined, now: number): number | null => {
  if (value === undefined) return null;
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
};
