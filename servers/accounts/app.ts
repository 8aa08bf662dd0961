import type { BuyerActions } from '../../core/billing/sandbox.ts';
import type { Accounts, Billing } from '../../core/index.ts';
import { type AppParts, makeApp } from '../http/app.ts';
import { cookieForm } from '../http/cookie-session/cookie-attributes.ts';
import { type CookieSessions, makeCookieSessions } from '../http/cookie-session/cookie-sessions.ts';
import { type HealthParts, healthRoutes } from '../http/health.ts';
import { withReference } from '../http/openapi/with-reference.ts';
import { makeErrorPages } from '../http/page/error-page.ts';
import { type Branding, makePages } from '../http/page/page.ts';
import { type AnyRoute, tagged } from '../http/route.ts';
import { type PagesParts, pagesRoutes } from '../pages/routes.ts';
import { appAuthorizationRoutes } from './app-authorization.ts';
import { billingRoutes } from './billing.ts';
import { billingPages } from './billing-pages.ts';
import { providerRoutes } from './providers/routes.ts';
import type { SignInSite } from './providers/site.ts';
import { accountRoutes } from './routes.ts';
import { sandboxRoutes } from './sandbox.ts';
import { sessionTokenRoutes } from './sessions.ts';

export interface AccountsAppParts
  extends Omit<AppParts, 'routes' | 'style' | 'errorPage' | 'authenticate' | 'cookies' | 'consoleCookies'>,
    Omit<HealthParts, 'service'>,
    SignInSite {
  readonly accounts: Accounts;
  readonly billing: Billing;
  /** The origins whose pages may use sessions in cookies; null without such sessions. */
  readonly cookieOrigins: (() => readonly string[]) | null;
  /** The calls and sessions of the operators' console; null where this app does not serve them. */
  readonly console: { readonly routes: readonly AnyRoute[]; readonly cookies: CookieSessions } | null;
  /** Null where there are no pages for people. */
  readonly pages: PagesParts | null;
  /** Null unless the sandbox is the payment provider. */
  readonly sandbox: BuyerActions | null;
  readonly branding: Branding;
  readonly brandRoutes: readonly AnyRoute[];
}

/** The endpoints that the API reference of the account service covers, and those of the reference itself. */
export const accountsAppRoutes = (
  parts: AccountsAppParts,
  page = makePages(parts.branding),
): readonly AnyRoute[] =>
  withReference(
    [
      ...accountRoutes(parts.accounts),
      ...providerRoutes(parts.accounts, parts),
      ...(parts.cookieOrigins === null ? [] : tagged('Sessions', sessionTokenRoutes(parts.accounts))),
      ...(parts.pages === null ? [] : tagged('Hand-over to apps', appAuthorizationRoutes(parts.accounts))),
      ...tagged('Billing', [
        ...billingRoutes(parts.billing),
        ...billingPages({ page, hasAccountPages: parts.pages !== null }),
      ]),
      ...(parts.sandbox === null ? [] : tagged('The billing sandbox', sandboxRoutes(parts.sandbox, page))),
      ...tagged('Health', healthRoutes({ ...parts, service: 'drop-accounts' })),
    ],
    {
      ...parts,
      title: 'Gatehouse accounts',
      style: 'account',
      bucket: 'default',
      ...(parts.cookieOrigins !== null && { cookieName: cookieForm(parts.https).name }),
    },
  );

/** The account service: spec section 4.1. */
export const makeAccountsApp = (parts: AccountsAppParts) => {
  const { accounts, cookieOrigins, branding } = parts;
  const page = makePages(branding);
  const shells = parts.pages === null ? [] : pagesRoutes('account', parts.pages);
  const shellPaths = new Set(shells.map(({ path }) => path));
  return makeApp({
    ...parts,
    style: 'account',
    errorPage: makeErrorPages(branding, page),
    authenticate: accounts.authenticate,
    cookies:
      cookieOrigins === null
        ? undefined
        : makeCookieSessions({
            form: cookieForm(parts.https),
            kind: 'cookie',
            origins: cookieOrigins,
            authenticateCookie: accounts.authenticateCookie,
            log: parts.log,
          }),
    consoleCookies: parts.console?.cookies,
    // The API reference omits the pages of the front, and the console, which has its own reference.
    routes: [
      // A page of the front replaces the page without scripts that has the same path, such as `/billing/success`.
      ...accountsAppRoutes(parts, page).filter(({ path }) => !shellPaths.has(path)),
      ...parts.brandRoutes,
      ...shells,
      ...(parts.console?.routes ?? []),
    ],
  });
};
