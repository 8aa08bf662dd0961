import type { Ask, Reply, TestService } from '../../../support/service.ts';

export const COOKIE = 'gatehouse';

/** What a page of the site itself says. */
const OWN = { 'Sec-Fetch-Site': 'same-origin' } as const;

/** The lines that an answer sets cookies with. */
export const linesOf = ({ headers }: Pick<Reply, 'headers'>): readonly string[] => headers.getSetCookie();

/** The value that an answer sets; empty for one that clears, undefined for none. */
export const valueIn = (reply: Pick<Reply, 'headers'>): string | undefined => {
  const [line] = linesOf(reply);
  return line === undefined ? undefined : (/^[^=]+=([^;]*)/.exec(line)?.[1] ?? '');
};

/** A page of the site in a browser that keeps one cookie. */
export const openPage = (service: TestService, name = COOKIE) => {
  let value = '';
  const headers = (): Readonly<Record<string, string>> =>
    value === '' ? OWN : { ...OWN, Cookie: `${name}=${value}` };
  const send = async (method: string, path: string, given: Ask = {}): Promise<Reply> => {
    const reply = await service.request(method, path, {
      ...given,
      headers: { ...headers(), ...given.headers },
    });
    value = valueIn(reply) ?? value;
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
    /** What each request says of the page and its session. */
    headers,
    /** Sends this one from now on. */
    keep: (given: string) => {
      value = given;
    },
  };
};
