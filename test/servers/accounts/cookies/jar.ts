import type { Reply, RequestOptions, TestService } from '../../../support/service.ts';

export const COOKIE = 'gatehouse';

/** The header of a page of the site itself. */
const OWN = { 'Sec-Fetch-Site': 'same-origin' } as const;

/** The Set-Cookie lines of a reply. */
export const setCookieLinesOf = ({ headers }: Pick<Reply, 'headers'>): readonly string[] =>
  headers.getSetCookie();

/** The value of the cookie that a reply sets: empty if it clears the cookie, undefined if it sets none. */
export const cookieValueIn = (reply: Pick<Reply, 'headers'>): string | undefined => {
  const [line] = setCookieLinesOf(reply);
  return line === undefined ? undefined : (/^[^=]+=([^;]*)/.exec(line)?.[1] ?? '');
};

/** A page of the site in a browser that keeps one cookie. */
export const openPage = (service: TestService, name = COOKIE) => {
  let value = '';
  const headers = (): Readonly<Record<string, string>> =>
    value === '' ? OWN : { ...OWN, Cookie: `${name}=${value}` };
  const send = async (method: string, path: string, request: RequestOptions = {}): Promise<Reply> => {
    const reply = await service.request(method, path, {
      ...request,
      headers: { ...headers(), ...request.headers },
    });
    value = cookieValueIn(reply) ?? value;
    return reply;
  };
  const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    send('POST', `/api/auth/${path}`, { ...(body === undefined ? {} : { body }), headers });
  return {
    send,
    post,
    me: async () => (await send('GET', '/api/auth/me')).status,
    logIn: ({ email, password }: { readonly email: string; readonly password: string }) =>
      post('login', { email, password }, { 'X-Session': 'cookie' }),
    value: () => value,
    /** The headers of each request of the page. */
    headers,
    /** Replaces the cookie. */
    keep: (newValue: string) => {
      value = newValue;
    },
  };
};
