import type { Accounts } from '../../core/index.ts';
import { accountRoutes } from '../accounts/routes.ts';
import type { AnyRoute } from '../http/route.ts';

/** The endpoints of the account service that an operator needs for their own session. */
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
export const accountRoutesOfConsole = (accounts: Accounts): readonly AnyRoute[] =>
  accountRoutes(accounts)
    .filter(({ method, path }) => FOR_OPERATORS.has(`${method} ${path}`))
    // A former operator can only sign out.
    .map(
      (route): AnyRoute =>
        route.session === 'ends' || route.access === 'open' ? route : { ...route, access: 'console' },
    );
