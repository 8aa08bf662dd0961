import type { Accounts, Billing } from '../../core/index.ts';
import { type AnyRoute, tagged } from '../http/route.ts';
import { consoleSessionRoutes } from './session.ts';

/** What the console's routes call. */
export interface ConsoleCore {
  readonly accounts: Accounts;
  readonly billing: Billing;
}

/** The console's own routes: they take its session alone. */
export const consoleRoutes = ({ accounts }: ConsoleCore): readonly AnyRoute[] => [
  ...tagged('Sign-in', consoleSessionRoutes(accounts)),
];
