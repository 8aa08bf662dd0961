import { endSessions } from '../account.ts';
import type { Deps } from '../deps.ts';
import { type AdminActionResult, makeAdminAction, type Operator } from './admin-action.ts';

export const makeResetTwoFactor = (deps: Deps) => {
  const { entries } = deps;
  const act = makeAdminAction(deps, { allowsSelf: false });

  return (user: string, by: Operator & { readonly reason: string }): Promise<AdminActionResult> =>
    act(user, by, 'two_factor.reset', (account, now) =>
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
