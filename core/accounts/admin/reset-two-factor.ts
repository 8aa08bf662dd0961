import { endSessions } from '../account.ts';
import type { Deps } from '../deps.ts';
import { type AdminActionResult, makeAdminAction, type ReasoningOperator } from './admin-action.ts';
import type { AdminActionRules } from './change-by-operator.ts';

export const makeResetTwoFactor = (deps: Deps, rules: AdminActionRules) => {
  const { entries } = deps;
  const runAction = makeAdminAction(deps, rules);

  return (user: string, by: ReasoningOperator): Promise<AdminActionResult> =>
    runAction(user, by, (account, now) =>
      account.twoFactor === null
        ? undefined
        : {
            next: endSessions(
              { ...account, twoFactor: null, twoFactorSetup: null, twoFactorSetupBy: null },
              null,
            ),
            before: { twoFactor: true },
            after: { twoFactor: false },
            also: [
              entries.task('end-sessions'),
              entries.mail(account, 'two-factor-off', { at: new Date(now).toISOString() }),
            ],
          },
    );
};
