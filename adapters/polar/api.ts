import { type CoreError, unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { type Calls, makeCalls } from '../calls/calls.ts';
import { FailedTry } from '../calls/failed-try.ts';
import { traceHeaders } from '../calls/trace-headers.ts';
import { isRecord } from '../files/json.ts';
import { makePace } from './pace.ts';

/** The version of the interface that the code was written for. */
const VERSION = '2026-10';
/** A checkout is made with others of the provider's own, and takes it seconds; the caller has an answer within 6. */
const DEADLINES = { oneTry: 4_000, call: 5_500 };
/** Milliseconds for which a call waits for its turn; a question about a state waits for as long as it takes. */
const PATIENCE = { POST: 500, GET: Number.POSITIVE_INFINITY, DELETE: 2_000 };
/** Calls a minute for everything together: the provider takes 500, in its sandbox 100. */
const PACE = { live: { perMinute: 400, ahead: 100 }, sandbox: { perMinute: 80, ahead: 20 } };
/** Characters of an answer. */
const LONGEST = 4_194_304;

export type Fields = Readonly<Record<string, unknown>>;

/** An answer that is no success, of a status that the caller may know what to make of. */
export interface Refusal {
  readonly status: number;
  /** The provider's word for it, such as `ResourceNotFound`; empty when it says none. */
  readonly error: string;
}

export type Reply = ({ readonly body: Fields } | { readonly refusal: Refusal }) & {
  /** When the request came to the provider at the earliest, by its own clock: epoch milliseconds; null if untold. */
  readonly reachedAt: number | null;
};

/**
 * Polar's REST interface, https://docs.polar.sh/api-reference. Calls throw `unavailable` (`billing_unavailable`). A `POST`
 * is what a buyer waits for: it goes before all else, and what fails in the background does not keep it from being tried.
 */
export interface PolarApi extends Pick<Calls, 'isUp' | 'close'> {
  /**
   * `path` begins after the base address. What is no success and no outage is given as a refusal. `patience` is how long
   * the call waits for its turn, in milliseconds.
   */
  call(method: Method, path: string, body?: Fields, patience?: number): Promise<Reply>;
  /** Milliseconds for which it asked to be left alone, and is; 0 when it did not. */
  restsFor(): number;
}

type Method = keyof typeof PATIENCE;

const down = (retryAfter?: number): CoreError =>
  unavailable('billing_unavailable', 'The payment provider cannot be reached just now.', retryAfter);

const read = async (response: Response): Promise<Fields> => {
  const text = await response.text();
  if (text === '') return {};
  try {
    const body: unknown = text.length > LONGEST ? undefined : JSON.parse(text);
    if (isRecord(body)) return body;
  } catch {
    // Said below, without what the parser would quote of it.
  }
  if (response.ok) throw new FailedTry('passing', 'garbled');
  return {};
};

const wordOf = ({ error, type }: Fields): string =>
  typeof error === 'string' ? error : typeof type === 'string' ? type : '';

/** From the time that it bears, in whole seconds, `took` milliseconds after it was asked for. */
const reachedAt = (response: Response, took: number): number | null => {
  const dated = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(dated) ? null : dated - Math.ceil(took);
};

/** Seconds that the provider asks for; a minute when it does not say. */
const restOf = (response: Response): number => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), 3_600) : 60;
};

export const makePolarApi = (given: {
  /** Base address, with `/v1`. */
  readonly url: string;
  readonly accessToken: string;
  readonly log: Log;
}): PolarApi => {
  const { url, accessToken, log } = given;
  const makeLane = () => ({
    calls: makeCalls({ name: 'billing', unavailable: () => down(), log, deadlines: DEADLINES }),
    restsUntil: Number.NEGATIVE_INFINITY,
  });
  const [bought, background] = [makeLane(), makeLane()];
  const pace = makePace(url.includes('sandbox') ? PACE.sandbox : PACE.live);

  const restOfLane = ({ restsUntil }: typeof bought): number => Math.max(0, restsUntil - performance.now());

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
      throw new FailedTry('passing', signal.aborted ? 'timeout' : 'unreachable');
    }
  };

  const judge = async (method: Method, response: Response, took: number): Promise<Reply> => {
    const { status } = response;
    if (status >= 500) throw new FailedTry('passing', 'failed');
    // An erasure has retries of its own, so its caller gets the refusal.
    if (status === 401 && method !== 'DELETE') throw new FailedTry('lasting', 'credentials');
    if (status === 429) {
      const rest = restOf(response);
      const lanes = method === 'POST' ? [bought, background] : [background];
      for (const lane of lanes) lane.restsUntil = performance.now() + rest * 1_000;
      log.warn('billing.throttled', { count: rest });
      throw down(rest);
    }
    const body = await read(response).catch((error: unknown) => {
      throw error instanceof FailedTry ? error : new FailedTry('passing', 'unreachable');
    });
    const reached = { reachedAt: reachedAt(response, took) };
    if (response.ok) return { body, ...reached };
    const refusal = { status, error: wordOf(body) };
    // A version that the provider does not know any more is a 404, too, and says nothing about what was asked for.
    if (status === 404 && refusal.error !== 'ResourceNotFound') throw new FailedTry('lasting', 'unexpected');
    return { refusal, ...reached };
  };

  return {
    call: async (method, path, body, patience = PATIENCE[method]) => {
      const lane = method === 'POST' ? bought : background;
      const refuse = () => {
        const rest = restOfLane(lane);
        if (rest > 0) throw down(Math.ceil(rest / 1_000));
      };
      refuse();
      await takeTurn(method, patience);
      // It may have been asked too often by those before.
      refuse();
      let tried = false;
      return lane.calls.run(async (signal) => {
        if (tried) pace.count();
        tried = true;
        const sentAt = performance.now();
        const response = await send(method, path, body, signal);
        return judge(method, response, performance.now() - sentAt);
      }, 2);
    },
    restsFor: () => restOfLane(background),
    isUp: () => bought.calls.isUp() && background.calls.isUp(),
    close: () => {
      for (const { calls } of [bought, background]) calls.close();
    },
  };
};
