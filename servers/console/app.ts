import { type AppParts, makeApp } from '../http/app.ts';
import { consoleCookieForm } from '../http/cookie-session/cookie-attributes.ts';
import { type CookieSessions, makeCookieSessions } from '../http/cookie-session/cookie-sessions.ts';
import { type HealthParts, healthRoutes } from '../http/health.ts';
import { withReference } from '../http/openapi/with-reference.ts';
import { makeErrorPages } from '../http/page/error-page.ts';
import { type Branding, makePages } from '../http/page/page.ts';
import { type AnyRoute, tagged } from '../http/route.ts';
import { FRONT_HEADERS } from '../http/security-headers.ts';
import { type PagesParts, pagesRoutes } from '../pages/routes.ts';
import { accountRoutesOfConsole, type ConsoleCore, consoleRoutes } from './routes.ts';

/** The parts from which the app of the operators' console is made. */
export interface ConsoleAppParts
  extends Omit<
      AppParts,
      'routes' | 'style' | 'headers' | 'errorPage' | 'authenticate' | 'cookies' | 'consoleCookies'
    >,
    Omit<HealthParts, 'service'>,
    ConsoleCore {
  /** The origin at which operators reach the console. */
  readonly consoleOrigin: () => string;
  readonly branding: Branding;
  readonly brandRoutes: readonly AnyRoute[];
  readonly pages: PagesParts;
}

/** The routes of the console's API reference, and the routes that it documents. */
export const consoleAppRoutes = (parts: Omit<ConsoleAppParts, 'pages'>): readonly AnyRoute[] =>
  withReference(
    [
      ...consoleRoutes(parts),
      ...accountRoutesOfConsole(parts.accounts),
      ...tagged('Health', healthRoutes({ ...parts, service: 'drop-console' })),
    ],
    {
      ...parts,
      title: 'Gatehouse console',
      style: 'account',
      bucket: 'default',
      cookieName: consoleCookieForm(parts.https).name,
    },
  );

export const consoleCookiesOf = (
  parts: Pick<ConsoleAppParts, 'accounts' | 'consoleOrigin' | 'https' | 'log'>,
): CookieSessions =>
  makeCookieSessions({
    form: consoleCookieForm(parts.https),
    kind: 'console',
    origins: () => [parts.consoleOrigin()],
    // Some routes of the console, such as the sign-out, accept every account; the others require an operator.
    authenticateCookie: (value, requiredStatus, caller) =>
      parts.accounts.console.authenticate(value, requiredStatus === 'any' ? 'any' : 'operator', caller),
    log: parts.log,
  });

/**
 * The operators' console, at an origin of its own. It shares the limiter and its counters with the account service, so that
 * an operator has one allowance for both.
 */
export const makeConsoleApp = (parts: ConsoleAppParts) => {
  const { accounts, branding } = parts;
  const cookies = consoleCookiesOf(parts);
  return makeApp({
    ...parts,
    // No other origin may use the console.
    corsOrigins: [],
    headers: FRONT_HEADERS,
    // Errors have the form of the account service, some of whose routes the console serves.
    style: 'account',
    errorPage: makeErrorPages(branding, makePages(branding)),
    authenticate: accounts.authenticate,
    // Routes for operators use `consoleCookies`, all others, such as the sign-out, `cookies`: here both are the same.
    cookies,
    consoleCookies: cookies,
    routes: [...consoleAppRoutes(parts), ...parts.brandRoutes, ...pagesRoutes('console', parts.pages)],
  });
};
