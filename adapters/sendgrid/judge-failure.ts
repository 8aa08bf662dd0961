import type { Delivery } from '../../core/accounts/ports.ts';
import { retryAfter } from '../calls/retry-after.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The answer, if there was one. The package does not treat a redirect as an error, only its client does. */
const answerOf = (error: unknown) => {
  const { code, response } = isObject(error) ? error : {};
  const { status, headers } = isObject(response) ? response : {};
  return {
    code,
    status: [code, status].find((one) => typeof one === 'number'),
    header(name: string): string | undefined {
      const value = isObject(headers) ? headers[name] : undefined;
      return typeof value === 'string' ? value : undefined;
    },
  };
};

/** `X-RateLimit-Reset`, Unix seconds. */
const rateLimitReset = (value: string | undefined, now: number): number | null =>
  value !== undefined && /^\d+$/.test(value.trim()) ? Math.max(0, Number(value) * 1_000 - now) : null;

/** What a failed call means; of the provider's answer only status and waiting time are read. */
export const judgeFailure = (error: unknown, now: number): Delivery => {
  const { code, status, header } = answerOf(error);
  if (status === undefined) {
    const late = code === 'ECONNABORTED' || code === 'ETIMEDOUT';
    return { outcome: 'again', after: null, failure: late ? 'timeout' : 'unreachable' };
  }
  const asked = retryAfter(header('retry-after'), now);
  if (status === 429) {
    const after = asked ?? rateLimitReset(header('x-ratelimit-reset'), now);
    return { outcome: 'again', after, failure: 'throttled' };
  }
  if (status === 408 || status < 400 || status >= 500) {
    return { outcome: 'again', after: asked, failure: 'unavailable' };
  }
  return { outcome: 'refused', failure: status === 401 || status === 403 ? 'auth' : 'rejected' };
};
