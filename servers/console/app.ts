import { type AppParts, makeApp } from '../http/app.ts';
import { consoleForm } from '../http/cookie-session/cookie-attributes.ts';
import { type CookieSessions, makeCookieSessions } from '../http/cookie-session/cookie-sessions.ts';
import { type HealthParts, healthRoutes } from '../http/health.ts';
import { withReference } from '../http/openapi/with-reference.ts';
import { makeErrorPages } from '../http/page/error-page.ts';
import { type Branding, makePages } from '../http/page/page.ts';
import { type AnyRoute, tagged } from '../http/route.ts';
import { FRONT_HEADERS } from '../http/security-headers.ts';
import { type PagesParts, pagesRoutes } from '../pages/routes.ts';
import { accountRoutesOfConsole, type ConsoleCore, consoleRoutes } from './routes.ts';

/** The configuration of the operators' console. */
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

/** The endpoints that the API reference of the console covers, and those of the reference itself. */
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
      cookieName: consoleForm(parts.https).name,
    },
  );

export const consoleCookiesOf = (
  parts: Pick<ConsoleAppParts, 'accounts' | 'consoleOrigin' | 'https' | 'log'>,
): CookieSessions =>
  makeCookieSessions({
    form: consoleForm(parts.https),
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
    // A route for operators uses `consoleCookies`, any other, such as the sign-out, `cookies`.
    cookies,
    consoleCookies: cookies,
    routes: [...consoleAppRoutes(parts), ...parts.brandRoutes, ...pagesRoutes('console', parts.pages)],
  });
};
