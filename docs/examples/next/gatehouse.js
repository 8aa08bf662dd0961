import { createGatehouse } from 'gatehouse';
import { readConfig } from 'gatehouse/adapters/config';
import { cookieName, createHandlers, toFetch } from 'gatehouse/servers';
import { cookies, headers } from 'next/headers';

const open = async () => {
  const own = { PUBLIC_URL: `http://localhost:${process.env.PORT ?? 3000}`, COOKIE_SESSIONS: 'on' };
  const config = readConfig({ ...own, ...process.env });
  const composition = await createGatehouse(config);
  const handlers = createHandlers(composition, config);
  handlers.start();
  const answer = toFetch(handlers.accounts);
  // Next names the client in X-Forwarded-For alone, as a proxy on this machine would.
  return { ...composition, name: cookieName(config), answer: (one) => answer(one, { peer: '127.0.0.1' }) };
};

/** One for the process: Next loads this file for each route, and again when it changes. */
export const gatehouse = () => {
  globalThis.gatehouse ??= open().catch((error) => {
    globalThis.gatehouse = undefined;
    throw error;
  });
  return globalThis.gatehouse;
};

/** The `{user, session}` behind a bearer token or the cookie; null for others. `next build` stops at `headers()`. */
export const getSession = async () => {
  const bearer = (await headers()).get('Authorization')?.replace(/^Bearer /i, '');
  const { accounts, name } = await gatehouse();
  const value = (await cookies()).get(name)?.value ?? '';
  const session = bearer ? accounts.authenticate(bearer) : accounts.authenticateCookie(value);
  return session.catch((e) => (['unauthenticated', 'forbidden'].includes(e.kind) ? null : Promise.reject(e)));
};
