import { makeCookieFetch } from '../../client/cookie-session.ts';
import type { OnProofNeeded } from '../../client/refusals.ts';
import { type Outcome, outcome, send } from '../api.ts';

let onSessionOver = (): void => undefined;
/** Sets the function to call when the session has ended. */
export const whenSessionIsOver = (run: () => void): void => {
  onSessionOver = run;
};

let onProofNeeded: OnProofNeeded = () => false;
/** Sets the function that asks for a fresh proof. After the proof the call is sent again. */
export const whenProofNeeded = (run: OnProofNeeded): void => {
  onProofNeeded = run;
};

const request = makeCookieFetch({
  fetch: send,
  onLoggedOut: () => onSessionOver(),
  onProofNeeded: (needed) => onProofNeeded(needed),
});

type Value = string | number | null | undefined;

const addressOf = (path: string, query: Readonly<Record<string, Value>>): string => {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== '') url.searchParams.set(name, String(value));
  return url.href;
};

interface Parts {
  readonly query?: Readonly<Record<string, Value>>;
  readonly body?: object;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Calls the console's own server. `T` is what the route answers. */
export const call = <T>(
  method: Method,
  path: string,
  { query = {}, body }: Parts = {},
): Promise<Outcome<T>> => {
  const send = async () => {
    const response = await request(
      new Request(addressOf(path, query), {
        method,
        credentials: 'same-origin',
        headers: {
          Accept: 'application/json',
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const content: unknown = await response.json().catch(() => undefined);
    return response.ok ? { data: content as T, response } : { error: content, response };
  };
  return outcome<T>(send());
};

export const read = <T>(path: string, query: Parts['query'] = {}): Promise<Outcome<T>> =>
  call<T>('GET', `/api/admin/${path}`, { query });

/** The path of a user's own routes. */
export const ofUser = (id: string, suffix = ''): string => `users/${encodeURIComponent(id)}${suffix}`;
