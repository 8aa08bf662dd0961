import { type CoreError, unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { FailedAttempt } from '../calls/failed-attempt.ts';
import { readText } from '../calls/read-text.ts';
import { makeServiceCalls } from '../calls/service-calls.ts';
import { traceHeaders } from '../calls/trace-headers.ts';
import { isRecord } from '../files/json.ts';
import { makePace } from './pace.ts';

/** The API version that this code is written for. */
const VERSION = '2026-10';
/** Milliseconds. A checkout takes the provider seconds; the caller gets an answer within 6 s. */
const DEADLINES = { attempt: 4_000, call: 5_500 };
/** How long a call waits for its turn; a GET waits without limit. */
const PATIENCE_MS = { POST: 500, GET: Number.POSITIVE_INFINITY, DELETE: 2_000, PATCH: 2_000 };
/** At most `perMinute` plus `ahead` calls begin in a minute: the provider allows 500, its sandbox 100. */
const PACE = { live: { perMinute: 400, ahead: 100 }, sandbox: { perMinute: 80, ahead: 20 } };
const MOST_RESPONSE_BYTES = 4_194_304;

export type Fields = Readonly<Record<string, unknown>>;

/** An unsuccessful response that the caller judges by its status. */
export interface Refusal {
  readonly status: number;
  /** The provider's error code, such as `ResourceNotFound`; empty if there is none. */
  readonly error: string;
  /** The members of the request that the provider refuses, such as `body.products.0`, without their values. */
  readonly members: readonly string[];
}

export type Reply = ({ readonly body: Fields } | { readonly refusal: Refusal }) & {
  /** The earliest time at which the request reached the provider, by its clock, in epoch milliseconds; null if unknown. */
  readonly reachedAt: number | null;
};

type Method = keyof typeof PATIENCE_MS;

const down = (retryAfter?: number): CoreError =>
  unavailable('billing_unavailable', 'The payment provider cannot be reached at the moment.', retryAfter);

const garbled = (): FailedAttempt => new FailedAttempt('passing', 'garbled');

const readBody = async (response: Response): Promise<Fields> => {
  const text = await readText(response, MOST_RESPONSE_BYTES, garbled);
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (isRecord(body)) return body;
  } catch {
    // The parser's message would quote the response; the error is thrown below.
  }
  if (response.ok) throw garbled();
  return {};
};

const errorCodeOf = ({ error, type }: Fields): string =>
  [error, type].find((word) => typeof word === 'string') ?? '';

const refusedMembersOf = ({ detail }: Fields): readonly string[] =>
  (Array.isArray(detail) ? detail : []).flatMap((problem) =>
    isRecord(problem) && Array.isArray(problem.loc) ? [problem.loc.join('.')] : [],
  );

/** `Reply.reachedAt`, by the `Date` header (whole seconds) of a response that took `took` milliseconds. */
const reachedAtOf = (response: Response, took: number): number | null => {
  const dated = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(dated) ? null : dated - Math.ceil(took);
};

/** The seconds without calls after status 429: those of `Retry-After`, an hour at most; a minute if it has no such number. */
const restSecondsOf = (response: Response): number => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), 3_600) : 60;
};

/**
 * Polar's REST API, https://docs.polar.sh/api-reference. Calls throw `unavailable` (`billing_unavailable`). A buyer waits for
 * each `POST`, so it precedes all other calls and has its own breaker, which failures of background calls do not open.
 */
export const makePolarApi = (settings: {
  /** Base address, with `/v1`. */
  readonly url: string;
  readonly accessToken: string;
  readonly log: Log;
}) => {
  const { url, accessToken, log } = settings;
  const makeLane = () => ({
    calls: makeServiceCalls({ name: 'billing', unavailable: () => down(), log, deadlines: DEADLINES }),
    /** After status 429 no call begins before this time of the monotonic clock. */
    restsUntil: Number.NEGATIVE_INFINITY,
  });
  const purchases = makeLane();
  const background = makeLane();
  const pace = makePace(url.includes('sandbox') ? PACE.sandbox : PACE.live);

  const restMsOf = ({ restsUntil }: typeof purchases): number => Math.max(0, restsUntil - performance.now());

  const takeTurn = async (method: Method, patience: number): Promise<void> => {
    const turn = method === 'POST' ? pace.first : pace.next;
    if (!(await turn(patience))) throw down();
  };

  const send = async (
    method: string,
    path: string,
    body: Fields | undefined,
    signal: AbortSignal,
  ): Promise<Response> => {
    try {
      return await fetch(url + path, {
        method,
        redirect: 'error',
        signal,
        headers: {
          ...traceHeaders(),
          Accept: 'application/json',
          Authorization: `Bearer ${accessToken}`,
          'Polar-Version': VERSION,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch {
      throw new FailedAttempt('passing', signal.aborted ? 'timeout' : 'unreachable');
    }
  };

  const judge = async (method: Method, response: Response, took: number): Promise<Reply> => {
    const { status } = response;
    if (status >= 500) throw new FailedAttempt('passing', 'failed');
    // Wrong credentials count as an outage, but for a call of a task as a refusal: the task then logs an error and waits for an
    // hour instead of being repeated soon.
    const isOfTask = method === 'DELETE' || method === 'PATCH';
    if (status === 401 && !isOfTask) throw new FailedAttempt('lasting', 'credentials');
    if (status === 429) {
      const restSeconds = restSecondsOf(response);
      // A throttled background call does not hold back purchases.
      const lanes = method === 'POST' ? [purchases, background] : [background];
      for (const lane of lanes) lane.restsUntil = performance.now() + restSeconds * 1_000;
      log.warn('billing.throttled', { count: restSeconds });
      throw down(restSeconds);
    }
    const body = await readBody(response).catch((error: unknown) => {
      throw error instanceof FailedAttempt ? error : new FailedAttempt('passing', 'unreachable');
    });
    const reachedAt = reachedAtOf(response, took);
    if (response.ok) return { body, reachedAt };
    const refusal = { status, error: errorCodeOf(body), members: refusedMembersOf(body) };
    // An outdated API version is a 404, too, and says nothing about the resource.
    if (status === 404 && refusal.error !== 'ResourceNotFound')
      throw new FailedAttempt('lasting', 'unexpected');
    return { refusal, reachedAt };
  };

  return {
    /** `path` begins after the base address. `patience`: milliseconds for which the call waits for its turn. */
    call: async (
      method: Method,
      path: string,
      body?: Fields,
      patience: number = PATIENCE_MS[method],
    ): Promise<Reply> => {
      const lane = method === 'POST' ? purchases : background;
      const requireNoRest = () => {
        const restMs = restMsOf(lane);
        if (restMs > 0) throw down(Math.ceil(restMs / 1_000));
      };
      requireNoRest();
      await takeTurn(method, patience);
      // Earlier calls may have been throttled during the wait.
      requireNoRest();
      // Two attempts: the turn was for the first, and the pace only counts the second.
      let isRetry = false;
      return lane.calls.run(async (signal) => {
        if (isRetry) pace.count();
        isRetry = true;
        const sentAt = performance.now();
        const response = await send(method, path, body, signal);
        return judge(method, response, performance.now() - sentAt);
      }, 2);
    },
    /** Milliseconds until background calls may continue after status 429; 0 if they may now. */
    rateLimitEndsInMs: () => restMsOf(background),
    isUp: () => purchases.calls.isUp() && background.calls.isUp(),
    close: () => {
      for (const { calls } of [purchases, background]) calls.close();
    },
  };
};
