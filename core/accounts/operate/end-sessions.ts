import { endSessions } from '../account.ts';
import type { Kit } from '../kit.ts';
import { type Acted, makeAct, type Operator } from './act.ts';

export const makeEndUserSessions = (kit: Kit) => {
  const act = makeAct(kit);

  return (user: string, by: Operator): Promise<Acted> =>
    act(user, by, 'user.logged_out', (account) => ({
      next: endSessions(account, null),
      also: [kit.entries.task('end-sessions')],
    }));
};
