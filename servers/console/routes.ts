import type { Accounts, Billing } from '../../core/index.ts';
import { type AnyRoute, tagged } from '../http/route.ts';
import { actRoutes } from './acts.ts';
import { auditRoutes } from './audit.ts';
import { deliveryRoutes } from './deliveries.ts';
import { directoryRoutes } from './directory.ts';
import { mailRoutes } from './mails.ts';
import { operatorRoutes } from './operators.ts';
import { consoleSessionRoutes } from './session.ts';
import { userRoutes } from './user.ts';

/** What the console's routes call. */
export interface ConsoleCore {
  readonly accounts: Accounts;
  readonly billing: Billing;
}

/** The console's own routes: they take its session alone. */
export const consoleRoutes = ({ accounts, billing }: ConsoleCore): readonly AnyRoute[] => [
  ...tagged('Sign-in', consoleSessionRoutes(accounts)),
  ...tagged('Users', [
    ...directoryRoutes(accounts),
    ...userRoutes(accounts, billing),
    ...actRoutes(accounts),
    ...operatorRoutes(accounts),
  ]),
  ...tagged('Audit', auditRoutes(accounts)),
  ...tagged('Mails and deliveries', [...mailRoutes(accounts), ...deliveryRoutes(accounts, billing)]),
];
