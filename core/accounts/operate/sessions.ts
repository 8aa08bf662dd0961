import type { Kit } from '../kit.ts';
import { isLive } from '../session.ts';
import { type SessionView, sessionNotFound, viewSession } from '../sessions/list-and-end.ts';
import { type Acted, makeAct, makeFindUser, type Operator } from './act.ts';

export const makeListUserSessions = (kit: Kit) => {
  const { clock, sessions } = kit;
  const findUser = makeFindUser(kit);

  return async (user: string): Promise<readonly Omit<SessionView, 'current'>[]> => {
    const account = await findUser(user);
    const now = clock.now();
    const all = await sessions.list(account.id);
    return all.filter((session) => isLive(session, account, now)).map(viewSession);
  };
};

export const makeEndUserSession = (kit: Kit) => {
  const { clock, entries, sessions } = kit;
  const act = makeAct(kit);
  const findUser = makeFindUser(kit);

  return async (user: string, sessionId: string, by: Operator): Promise<Acted> => {
    const account = await findUser(user);
    const session = await sessions.find(account.id, sessionId);
    if (session === undefined || !isLive(session, account, clock.now())) throw sessionNotFound();
    // With the row in one write, so that neither is without the other after a crash.
    return act(account.id, by, 'session.ended', (found) => ({
      next: found,
      after: { session: sessionId },
      also: [entries.task('end-session', sessionId)],
    }));
  };
};
