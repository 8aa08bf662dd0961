import { adminRoutes } from '../accounts/admin.ts';
import { accountRoutes } from '../accounts/routes.ts';
import { consoleForm } from '../http/cookie-session/cookie.ts';
import { type CookieSessions, makeCookieSessions } from '../http/cookie-session/cookie-sessions.ts';
import { type HealthParts, healthRoutes } from '../http/health.ts';
import { type AppParts, makeApp } from '../http/mount.ts';
import { withReference } from '../http/openapi/with-reference.ts';
import { makeErrorPages } from '../http/page/error-page.ts';
import { FRONT_HEADERS } from '../http/page/front-headers.ts';
import { type Look, makePages } from '../http/page/page.ts';
import { type AnyRoute, tagged } from '../http/route.ts';
import { type ConsolePagesParts, consolePagesRoutes } from '../pages/routes.ts';
import { type ConsoleCore, consoleRoutes } from './routes.ts';

/** The parts of the operators' console. */
export interface ConsoleAppParts
  extends Omit<
      AppParts,
      'routes' | 'style' | 'headers' | 'errorPage' | 'authenticate' | 'cookies' | 'consoleCookies'
    >,
    Omit<HealthParts, 'service'>,
    ConsoleCore {
  /** The origin at which operators reach it. */
  readonly consoleOrigin: () => string;
  readonly look: Look;
  /** What the files of the brand are served by. */
  readonly brandRoutes: readonly AnyRoute[];
  readonly pages: ConsolePagesParts;
}

/** Of the account service, what an operator at the console needs for their own session. */
const OF_ACCOUNTS: ReadonlySet<string> = new Set([
  'POST /api/auth/login/passkey/begin',
  'POST /api/auth/login/second/begin',
  'POST /api/auth/logout',
  'GET /api/auth/me',
  'POST /api/auth/reauthenticate',
  'POST /api/auth/reauthenticate/passkey/begin',
  'GET /api/avatar',
]);

/** Every endpoint of the console, its reference included. */
export const consoleAppRoutes = (parts: Omit<ConsoleAppParts, 'pages'>): readonly AnyRoute[] => {
  const { accounts } = parts;
  const ofAccounts = accountRoutes(accounts)
    .filter(({ method, path }) => OF_ACCOUNTS.has(`${method} ${path}`))
    // Whoever is no operator any more can sign out, and no more.
    .map(
      (one): AnyRoute =>
        one.session === 'ends' || one.access === 'open' ? one : { ...one, access: 'console' },
    );
  return withReference(
    [
      ...consoleRoutes(parts),
      ...ofAccounts,
      ...tagged('Operators', adminRoutes(accounts)),
      ...tagged('Health', healthRoutes({ ...parts, service: 'drop-console' })),
    ],
    {
      ...parts,
      title: 'Gatehouse console',
      style: 'account',
      bucket: 'default',
      cookieName: consoleForm(parts.https).name,
    },
  );
};

/** The sessions of the console, in their cookie. */
export const consoleCookiesOf = (
  parts: Pick<ConsoleAppParts, 'accounts' | 'consoleOrigin' | 'https' | 'log'>,
): CookieSessions =>
  makeCookieSessions({
    form: consoleForm(parts.https),
    kind: 'console',
    origins: () => [parts.consoleOrigin()],
    authenticateCookie: (value, standing, caller) =>
      parts.accounts.console.authenticate(value, standing === 'any' ? 'any' : 'operator', caller),
    log: parts.log,
  });

/** The operators' console: a listener and an origin of its own. */
export const makeConsoleApp = (parts: ConsoleAppParts) => {
  const { accounts, look } = parts;
  const cookies = consoleCookiesOf(parts);
  return makeApp({
    ...parts,
    // No other origin's page has anything to do here.
    corsOrigins: [],
    headers: FRONT_HEADERS,
    style: 'account',
    errorPage: makeErrorPages(look, makePages(look)),
    authenticate: accounts.authenticate,
    cookies,
    consoleCookies: cookies,
    // It shares the limiter with the account service, and counts with it: one operator, one allowance.
    routes: [...consoleAppRoutes(parts), ...parts.brandRoutes, ...consolePagesRoutes(parts.pages)],
  });
};
