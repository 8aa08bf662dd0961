import type { Accounts, Billing } from '../../core/index.ts';
import { adminRoutes } from '../accounts/admin.ts';
import { accountRoutes } from '../accounts/routes.ts';
import { type AnyRoute, tagged } from '../http/route.ts';
import { auditRoutes } from './audit.ts';
import { deliveryRoutes } from './deliveries.ts';
import { type Installation, installationRoutes } from './installation.ts';
import { mailRoutes } from './mails.ts';
import { consoleSessionRoutes } from './session.ts';
import { userActionRoutes } from './user-action-routes.ts';
import { userRoutes } from './users.ts';

/** The core's interfaces that the console's routes call. */
export interface ConsoleCore {
  readonly accounts: Accounts;
  readonly billing: Billing;
  readonly installation: Installation;
}

/** The console's own routes. All but the sign-in accept only console sessions. */
export const consoleRoutes = ({ accounts, billing, installation }: ConsoleCore): readonly AnyRoute[] => [
  ...tagged('Sign-in', consoleSessionRoutes(accounts)),
  ...tagged('Users', [...userRoutes(accounts, billing), ...userActionRoutes(accounts)]),
  ...tagged('Audit', auditRoutes(accounts)),
  ...tagged('Mails and deliveries', [...mailRoutes(accounts), ...deliveryRoutes(accounts, billing)]),
  ...tagged('Installation', installationRoutes(accounts, installation)),
];

/** The account service's endpoints by which operators sign in, prove their identity, read their profile and sign out. */
const FOR_OPERATORS: ReadonlySet<string> = new Set([
  'POST /api/auth/login/passkey/begin',
  'POST /api/auth/login/second/begin',
  'POST /api/auth/logout',
  'GET /api/auth/me',
  'POST /api/auth/reauthenticate',
  'POST /api/auth/reauthenticate/passkey/begin',
  'GET /api/avatar',
]);

/** The routes of the account service that the console serves as well. */
export const accountRoutesOfConsole = (accounts: Accounts): readonly AnyRoute[] => [
  ...accountRoutes(accounts)
    .filter(({ method, path }) => FOR_OPERATORS.has(`${method} ${path}`))
    // All but sign-in and sign-out require an operator, so a former operator can only sign out.
    .map(
      (route): AnyRoute =>
        route.session === 'ends' || route.access === 'open' ? route : { ...route, access: 'console' },
    ),
  ...tagged('Operators', adminRoutes(accounts)),
];
