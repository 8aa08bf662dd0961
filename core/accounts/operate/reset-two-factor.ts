import { endSessions } from '../account.ts';
import type { Kit } from '../kit.ts';
import { type Acted, makeAct, type Operator } from './act.ts';

export const makeResetTwoFactor = (kit: Kit) => {
  const { entries } = kit;
  const act = makeAct(kit, { own: false });

  return (user: string, by: Operator & { readonly reason: string }): Promise<Acted> =>
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
