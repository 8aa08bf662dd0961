import type { Accounts, Billing } from '../../core/index.ts';
import { type AnyRoute, tagged } from '../http/route.ts';
import { actRoutes } from './acts.ts';
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
  ...tagged('Users', [...userRoutes(accounts, billing), ...actRoutes(accounts), ...operatorRoutes(accounts)]),
];
