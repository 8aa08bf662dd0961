import type { Delivery } from '../../core/accounts/ports.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A response header as text; names are lower case already. */
const header = (error: unknown, name: string): string | undefined => {
  const response = isObject(error) ? error.response : undefined;
  const headers = isObject(response) ? response.headers : undefined;
  const value = isObject(headers) ? headers[name] : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** `Retry-After` (RFC 9110 section 10.2.3) in seconds or as a date, in milliseconds from `now`. */
const retryAfter = (value: string | undefined, now: number): number | null => {
  if (value === undefined) return null;
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
};

/** `X-RateLimit-Reset`, Unix seconds. */
const rateLimitReset = (value: string | undefined, now: number): number | null =>
  value !== undefined && /^\d+$/.test(value.trim()) ? Math.max(0, Number(value) * 1_000 - now) : null;

/** What a failed call means; of the provider's answer only status and waiting time are read. */
export const judgeFailure = (error: unknown, now: number): Delivery => {
  const code = isObject(error) ? error.code : undefined;
  if (typeof code !== 'number') {
    const late = code === 'ECONNABORTED' || code === 'ETIMEDOUT';
    return { outcome: 'again', after: null, failure: late ? 'timeout' : 'unreachable' };
  }
  const asked = retryAfter(header(error, 'retry-after'), now);
  if (code === 429) {
    const after = asked ?? rateLimitReset(header(error, 'x-ratelimit-reset'), now);
    return { outcome: 'again', after, failure: 'throttled' };
  }
  if (code === 408 || code < 400 || code >= 500)
    return { outcome: 'again', after: asked, failure: 'unavailable' };
  return { outcome: 'refused', failure: code === 401 || code === 403 ? 'auth' : 'rejected' };
};
