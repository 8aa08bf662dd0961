import { oneOf, optional, type RulesOf, record, TEXT } from '../../arguments.ts';
import { caller, TEXT_OR_NOT, who } from '../argument-rules.ts';
import type { OperatorRole } from '../entitlement.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import type { Operator } from '../operate/act.ts';
import { makeAuthenticateConsole } from './authenticate.ts';
import { makeOperatorOf, type SaidOfAct } from './operator.ts';

/**
 * Who works in the operators' console. A session of it begins with any call that signs in, where the caller's `session`
 * is `console`: then `forbidden` (`operators_only`, `two_factor_required`) refuses whoever is no operator with the second
 * factor on.
 */
export interface ConsoleCalls {
  /**
   * Tells who calls, by the cookie of a session of the console, as the store has them now. Throws `unauthenticated`
   * (`invalid_token`, `cookie_replaced`) and, unless `standing` is `any`, `forbidden` (`account_banned`,
   * `account_disabled`, `operators_only`, `two_factor_required`).
   */
  authenticate(value: string, standing: 'any' | 'operator', caller?: Caller): Promise<Identity>;
  /**
   * The caller as the calls of `operate` take who acts. Throws `forbidden`: `operators_only` for a lower role, and
   * `fresh_authentication_needed` where the session's proof is not fresh; `invalid` (`invalid_reason`).
   */
  operator(who: Identity, role: OperatorRole, act: SaidOfAct, caller: Caller): Promise<Operator>;
}

export const makeConsoleCalls = (kit: Kit): ConsoleCalls => ({
  authenticate: makeAuthenticateConsole(kit),
  operator: makeOperatorOf(kit),
});

export const consoleArguments: RulesOf<ConsoleCalls> = {
  authenticate: { value: TEXT, standing: oneOf('any', 'operator'), caller: optional(caller) },
  operator: {
    who,
    role: oneOf('dev', 'founder'),
    act: record<SaidOfAct>({ reason: TEXT, seen: TEXT_OR_NOT }),
    caller,
  },
};
