import type { Account } from './account.ts';
import { makeAppendAudit } from './audit.ts';
import type { Kit } from './kit.ts';
import type { Pending } from './pending.ts';
import { makeTasks } from './tasks.ts';

/**
 * Moves one account's pending entries on, in order; each step may be repeated without harm. Entries of the kinds in
 * `left` are left to another process.
 */
export const makeRelayAccount = (kit: Kit, left: readonly Pending['kind'][] = []) => {
  const { accounts, events, log, outbox } = kit;
  const appendAudit = makeAppendAudit(kit);
  const tasks = makeTasks(kit);

  const perform = async (account: Account, entry: Pending): Promise<void> => {
    switch (entry.kind) {
      case 'mail':
        return outbox.add(account.id, entry);
      case 'audit':
        return appendAudit(entry);
      case 'event':
        return events.publish({
          id: entry.id,
          at: entry.at,
          type: entry.type,
          userId: entry.userId,
          sessionId: entry.sessionId,
        });
      case 'task':
        await tasks[entry.task](account, entry);
    }
  };

  const settle = async (id: string, done: ReadonlySet<string>): Promise<void> => {
    for (;;) {
      const account = await accounts.find(id);
      if (account === undefined) return;
      const pending = account.pending.filter((entry) => !done.has(entry.id));
      if (pending.length === account.pending.length || (await accounts.save({ ...account, pending }))) return;
    }
  };

  /**
   * Gives the number of entries moved on. What fails is taken up again by the next round; until then later entries of
   * its kind wait behind it, those of other kinds do not; but no audit row comes before a task that may erase it.
   */
  return async (id: string): Promise<number> => {
    const account = await accounts.find(id);
    if (account === undefined) return 0;
    const done = new Set<string>();
    const stuck = new Set<Pending['kind']>(left);
    for (const entry of account.pending) {
      if (stuck.has(entry.kind)) continue;
      try {
        await perform(account, entry);
        done.add(entry.id);
      } catch (error) {
        stuck.add(entry.kind);
        if (entry.kind === 'task') stuck.add('audit');
        log.warn('relay.failed', { userId: id, reason: entry.kind, error });
      }
    }
    if (done.size > 0) await settle(id, done);
    return done.size;
  };
};

/** Lets whoever asks for a key whose work is under way have the outcome of that: it is not begun a second time. */
const makeJoin = <T>() => {
  const underWay = new Map<string, Promise<T>>();
  return (key: string, work: () => Promise<T>): Promise<T> => {
    const begun = underWay.get(key) ?? work().finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
};

/**
 * Moves on what every account has pending, and tells of ended sessions. Gives the number of things done. Events may be
 * `left` to a process whose surroundings hear them. May be called again while a call lasts, since one account may have
 * to wait long for what is outside: then the others need not wait for it.
 */
export const makeRelay = (kit: Kit, left: readonly 'event'[] = []) => {
  const { accounts, clock, events, newId, sessions } = kit;
  const relayAccount = makeRelayAccount(kit, left);
  const join = makeJoin<number>();

  const tellEnded = async (limit: number): Promise<number> => {
    const ended = await sessions.listEnded(limit);
    for (const { userId, id, endedAt } of ended) {
      await events.publish({
        id: newId(),
        at: endedAt ?? clock.now(),
        type: 'session.revoked',
        userId,
        sessionId: id,
      });
      await sessions.remove(userId, id);
    }
    return ended.length;
  };

  return async (page = 100): Promise<number> => {
    let count = 0;
    let after: string | null = null;
    do {
      const found: readonly Account[] = await accounts.listPending(after, page);
      const ours = found.filter(({ pending }) =>
        pending.some(({ kind }) => kind !== 'event' || !left.includes(kind)),
      );
      const moved = await Promise.all(ours.map(({ id }) => join(id, () => relayAccount(id))));
      count += moved.reduce((sum, one) => sum + one, 0);
      after = found.length < page ? null : (found.at(-1)?.id ?? null);
    } while (after !== null);
    return left.includes('event') ? count : count + (await join('ended', () => tellEnded(page)));
  };
};
