import type { Accounts, Billing } from '../../core/index.ts';
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

/** The console's own routes: they take its session alone. */
export const consoleRoutes = ({ accounts, billing, installation }: ConsoleCore): readonly AnyRoute[] => [
  ...tagged('Sign-in', consoleSessionRoutes(accounts)),
  ...tagged('Users', [...userRoutes(accounts, billing), ...userActionRoutes(accounts)]),
  ...tagged('Audit', auditRoutes(accounts)),
  ...tagged('Mails and deliveries', [...mailRoutes(accounts), ...deliveryRoutes(accounts, billing)]),
  ...tagged('Installation', installationRoutes(accounts, installation)),
];
