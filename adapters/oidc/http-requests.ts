import type { Log, LogFields } from '../../core/ports.ts';
import { FailedAttempt } from '../calls/failed-attempt.ts';
import { inTime } from '../calls/in-time.ts';
import { readText } from '../calls/read-text.ts';
import { type Calls, makeServiceCalls } from '../calls/service-calls.ts';
import { traceHeaders } from '../calls/trace-headers.ts';
import { isRecord } from '../files/json.ts';
import { invalidAnswer, providerDown } from './refusal.ts';

/** Milliseconds. A browser waits, so the whole callback has the deadline of one call. */
const DEADLINES = { attempt: 4_000, call: 5_500 };
/** The attempts of a request without a form. */
const MOST_ATTEMPTS = 2;
/** The size of an uncompressed response. */
const MOST_BYTES = 262_144;

export interface ProviderRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** A form makes the request a POST, which has one attempt. Other requests have two. */
  readonly form?: URLSearchParams;
}

export interface ProviderResponse {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** The endpoints of a provider: each may be down while the others work. */
export type Endpoint = 'description' | 'token' | 'keys' | 'person' | 'emails';

/** Requests to one provider. They throw `unavailable` (`provider_unavailable`), and `Refusal`. */
export interface Requests extends Pick<Calls, 'close'> {
  ask(endpoint: Endpoint, url: string, request?: ProviderRequest): Promise<ProviderResponse>;
  /** Fetches a JSON object. Any other response counts as an outage, except a response that is too long (`Refusal`). */
  askForObject(endpoint: Endpoint, url: string): Promise<Fields>;
  /** False while one of the endpoints is down, as seen by the calls of this process. Makes no call. */
  isUp(): boolean;
}

/** Whether requests may go to the URL: https, or with `allowsLocalHttp` also http on this machine. */
export const mayAsk = (url: unknown, allowsLocalHttp: boolean): url is string => {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const isThisMachine = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && allowsLocalHttp && isThisMachine);
};

/** The JSON object of a response. Throws `Refusal` with `reason`. */
export const objectIn = ({ text }: ProviderResponse, reason: string): Fields => {
  const value = jsonIn(text);
  if (isRecord(value)) return value;
  throw invalidAnswer(reason);
};

/** Undefined for invalid JSON. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Adds the id of the provider to the log lines. */
const withId = (log: Log, id: string): Log => ({
  info: (event, fields: LogFields = {}) => log.info(event, { ...fields, id }),
  warn: (event, fields: LogFields = {}) => log.warn(event, { ...fields, id }),
  error: (event, fields: LogFields = {}) => log.error(event, { ...fields, id }),
});

/** GitHub throttles with status 403 as well, and tells this from a missing permission by one of these headers. */
const isThrottled = ({ status, headers }: Response): boolean =>
  status === 429 ||
  (status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'));

export const makeRequests = ({ id, log }: { readonly id: string; readonly log: Log }): Requests => {
  const callsByEndpoint = new Map<Endpoint, Calls>();
  let isClosed = false;

  /** Each endpoint has its own breaker: a success of one must not reset the failures of another. */
  const callsOf = (endpoint: Endpoint): Calls => {
    const calls =
      callsByEndpoint.get(endpoint) ??
      makeServiceCalls({
        name: 'oidc',
        unavailable: providerDown,
        log: withId(log, id),
        deadlines: DEADLINES,
      });
    callsByEndpoint.set(endpoint, calls);
    if (isClosed) calls.close();
    return calls;
  };

  const runAttempt = async (
    url: string,
    { headers, form }: ProviderRequest,
    signal: AbortSignal,
  ): Promise<ProviderResponse> => {
    try {
      const response = await fetch(url, {
        redirect: 'manual',
        signal,
        headers: { ...traceHeaders(), 'User-Agent': 'Gatehouse', Accept: 'application/json', ...headers },
        ...(form && { method: 'POST', body: form }),
      });
      const { status } = response;
      if (status >= 500) throw new FailedAttempt('passing', 'failed');
      if (isThrottled(response)) throw new FailedAttempt('lasting', 'throttled');
      const type = response.headers.get('content-type') ?? '';
      return { status, type, text: await readText(response, MOST_BYTES, () => invalidAnswer('too_long')) };
    } catch (error) {
      // Errors of fetch quote the address, so they are replaced.
      if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
      throw new FailedAttempt('passing', signal.aborted ? 'timeout' : 'unreachable');
    }
  };

  return {
    ask: async (endpoint, url, request = {}) =>
      callsOf(endpoint).run(
        (signal) => runAttempt(url, request, signal),
        request.form === undefined ? MOST_ATTEMPTS : 1,
      ),
    askForObject: async (endpoint, url) =>
      callsOf(endpoint).run(async (signal) => {
        const { status, text } = await runAttempt(url, {}, signal);
        if (status !== 200) throw new FailedAttempt('lasting', 'rejected');
        const value = jsonIn(text);
        if (isRecord(value)) return value;
        throw new FailedAttempt('lasting', 'garbled');
      }, MOST_ATTEMPTS),
    isUp: () => [...callsByEndpoint.values()].every((calls) => calls.isUp()),
    close: () => {
      isClosed = true;
      for (const calls of callsByEndpoint.values()) calls.close();
    },
  };
};

/** Throws `unavailable` if the work takes longer than the deadline of one call. */
export const withinDeadline = <T>(work: Promise<T>): Promise<T> => inTime(DEADLINES.call, work, providerDown);
