import type { Log, LogFields } from '../../core/ports.ts';
import { type Calls, makeCalls } from '../calls/calls.ts';
import { FailedTry } from '../calls/failed-try.ts';
import { traceHeaders } from '../calls/trace-headers.ts';
import { isRecord } from '../files/json.ts';
import { invalidAnswer, providerDown } from './refusal.ts';

/** Milliseconds. A browser waits for the answer, so a trip's whole end has no more than a call. */
const DEADLINES = { oneTry: 4_000, call: 5_500 };
/** Bytes of an answer, as it is without compression. */
const LONGEST = 262_144;

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  /** A form: then it is a POST, which is sent once. */
  readonly form?: URLSearchParams;
}

export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Requests to one provider. They throw `unavailable` (`provider_unavailable`), and `Refusal`. */
export interface Requests extends Pick<Calls, 'isUp' | 'close'> {
  ask(url: string, asked?: Asked): Promise<Answered>;
  /** A JSON object that must be there: anything else counts as an outage. */
  askForObject(url: string): Promise<Fields>;
}

/** Whether a request may go there: https, or http on this machine for a provider that is set so. */
export const mayAsk = (url: unknown, onThisMachine: boolean): url is string => {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const isHere = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && onThisMachine && isHere);
};

/** The JSON object of an answer. Throws `Refusal` with `reason`. */
export const objectIn = ({ text }: Answered, reason: string): Fields => {
  const found = jsonIn(text);
  if (isRecord(found)) return found;
  throw invalidAnswer(reason);
};

/** Undefined for what is no JSON. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const read = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // To leave the loop ends the connection.
    if (bytes > LONGEST) throw invalidAnswer('too_long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** Lines about calls name the provider. */
const withId = (log: Log, id: string): Log => ({
  info: (event, fields: LogFields = {}) => log.info(event, { ...fields, id }),
  warn: (event, fields: LogFields = {}) => log.warn(event, { ...fields, id }),
  error: (event, fields: LogFields = {}) => log.error(event, { ...fields, id }),
});

export const makeRequests = ({ id, log }: { readonly id: string; readonly log: Log }): Requests => {
  const calls = makeCalls({
    name: 'oidc',
    unavailable: providerDown,
    log: withId(log, id),
    deadlines: DEADLINES,
  });

  const tryOnce = async (url: string, { headers, form }: Asked, signal: AbortSignal): Promise<Answered> => {
    try {
      const response = await fetch(url, {
        redirect: 'manual',
        signal,
        headers: { ...traceHeaders(), 'User-Agent': 'Gatehouse', Accept: 'application/json', ...headers },
        ...(form && { method: 'POST', body: form }),
      });
      const { status } = response;
      if (status >= 500) throw new FailedTry('passing', 'failed');
      if (status === 429) throw new FailedTry('lasting', 'throttled');
      const type = response.headers.get('content-type') ?? '';
      return { status, type, text: await read(response) };
    } catch (error) {
      // What fetch throws quotes the address.
      if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
      throw new FailedTry('passing', signal.aborted ? 'timeout' : 'unreachable');
    }
  };

  return {
    ask: async (url, asked = {}) =>
      calls.run((signal) => tryOnce(url, asked, signal), asked.form === undefined ? 2 : 1),
    askForObject: async (url) =>
      calls.run(async (signal) => {
        const { status, text } = await tryOnce(url, {}, signal);
        if (status !== 200) throw new FailedTry('lasting', 'rejected');
        const found = jsonIn(text);
        if (isRecord(found)) return found;
        throw new FailedTry('lasting', 'garbled');
      }, 2),
    isUp: calls.isUp,
    close: calls.close,
  };
};

/** Throws `unavailable` where the work takes longer than one call may. */
export const withinOneCall = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(providerDown()), DEADLINES.call);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
