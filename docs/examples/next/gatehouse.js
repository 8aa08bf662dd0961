import { compose } from 'gatehouse/adapters';
import { readConfig } from 'gatehouse/adapters/config';
import { createHandlers, toFetch } from 'gatehouse/servers';
import { cookies, headers } from 'next/headers';

const open = async () => {
  const config = readConfig({ PUBLIC_URL: `http://localhost:${process.env.PORT ?? 3000}`, ...process.env });
  const composition = await compose(config);
  const handlers = createHandlers(composition, config);
  handlers.start();
  const answer = toFetch(handlers.accounts);
  // Next names the client in X-Forwarded-For alone, as a proxy on this machine would.
  return { accounts: composition.accounts, answer: (request) => answer(request, { peer: '127.0.0.1' }) };
};

/** One for the process: Next loads this file for each route, and again when it changes. */
export const gatehouse = () => {
  globalThis.gatehouse ??= open();
  return globalThis.gatehouse;
};

/** The `{user, session}` behind a bearer token or the cookie of the app; null for others. */
export const getSession = async () => {
  const bearer = (await headers()).get('Authorization')?.replace(/^Bearer /i, '');
  const token = bearer ?? (await cookies()).get('token')?.value ?? '';
  const { accounts } = await gatehouse();
  return accounts.authenticate(token).catch((error) => {
    if (error.kind === 'unauthenticated') return null;
    throw error;
  });
};
