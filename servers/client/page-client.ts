import type { paths } from './accounts.generated.ts';
import type { Fetch, TypedClient } from './fetch-types.ts';
import { serializeBody } from './serialize-body.ts';

interface Init {
  readonly params?: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
  };
  readonly body?: object;
  readonly parseAs?: 'blob';
}

const addressOf = (
  path: string,
  { path: pathParams = {}, query }: NonNullable<Init['params']> = {},
): string => {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(pathParams[name] ?? ''),
  );
  const parameters = String(new URLSearchParams(query));
  return parameters === '' ? address : `${address}?${parameters}`;
};

const errorIn = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The result of a call that the service answered. */
export interface PageCallResult<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** Calls the service from a page of the same origin. `T` is the type of the response's body. */
export const callPage = async <T>(
  send: Fetch,
  method: string,
  path: string,
  { params, body, parseAs }: Init = {},
): Promise<PageCallResult<T>> => {
  // A page cannot follow a redirect to another site, so checkout and portal return the address as JSON.
  const headers = new Headers({ Accept: 'application/json' });
  const payload = body === undefined ? null : serializeBody(body);
  if (typeof payload === 'string') headers.set('Content-Type', 'application/json');
  const request = new Request(addressOf(path, params), { method, headers, body: payload });
  const response = await send(request);
  if (!response.ok) return { error: await errorIn(response), response };
  const data: unknown = parseAs === 'blob' ? await response.blob() : await response.json();
  return { data: data as T, response };
};

/**
 * A client for pages of the service's own origin, whose session is a cookie. It has the part of `createAccountsClient` that the
 * pages use, in a third of its size: the first paint of a page waits for it. `send` comes from `makeCookieFetch`.
 */
export const createPageClient = <Paths extends object = paths>(send: Fetch): TypedClient<Paths> => {
  const call = (method: string) => (path: string, init?: Init) => callPage(send, method, path, init);
  // The cast is safe: the caller's arguments are checked against the types of the OpenAPI document.
  return {
    GET: call('GET'),
    POST: call('POST'),
    PATCH: call('PATCH'),
    DELETE: call('DELETE'),
  } as unknown as TypedClient<Paths>;
};
