import { backOff } from '../../back-off.ts';
import type { Account } from '../account.ts';
import { isLasting } from '../failing.ts';
import type { Kit } from '../kit.ts';
import type { Pending } from '../pending.ts';
import { makeAppendAudit } from './audit.ts';
import { isMovable, laneOf, makeLanes } from './lanes.ts';
import { makeTasks } from './tasks.ts';

/**
 * Moves one account's pending entries on, in order; each step may be repeated without harm. Events may be `left` to a
 * process whose surroundings hear them.
 */
export const makeRelayAccount = (kit: Kit, left: readonly 'event'[] = []) => {
  const { accounts, change, clock, events, failing, outbox, policy, random, relayInTurn } = kit;
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

  /**
   * Only tasks are retried later: they call other services. If another entry fails, the store is down, and no
   * retry could be noted either.
   */
  const putOff = (entry: Pending, error: unknown): Pending => {
    if (entry.kind !== 'task') return entry;
    const [first, longest] = [policy.taskRetryFirst, policy.taskRetryLongest];
    const tries = entry.retry?.tries ?? 0;
    const wait = isLasting(error) ? longest : backOff(random, { first, longest }, tries);
    const from = clock.now();
    return { ...entry, retry: { tries: tries + 1, from, dueAt: from + wait } };
  };

  /** Takes away what was done, and notes when to try again what was not. */
  const settle = (id: string, moved: ReadonlyMap<string, Pending | null>): Promise<void> =>
    change<void>(
      () => accounts.find(id),
      (account) => {
        if (account === undefined) return { next: null, answer: undefined };
        const pending = account.pending.flatMap(
          (entry) => moved.get(entry.id) ?? (moved.has(entry.id) ? [] : entry),
        );
        return { next: { ...account, pending }, answer: undefined };
      },
    );

  /**
   * Gives the number of entries moved on. What fails is taken up again by a later round; until then later entries of its
   * lane wait behind it.
   */
  const relay = async (id: string): Promise<number> => {
    const account = await accounts.find(id);
    if (account === undefined) return 0;
    const moved = new Map<string, Pending | null>();
    const lanes = makeLanes(left);
    let done = 0;
    for (const entry of account.pending) {
      if (!lanes.opens(entry, clock.now())) continue;
      try {
        await perform(account, entry);
        moved.set(entry.id, null);
        done += 1;
      } catch (error) {
        lanes.hold(entry);
        const next = putOff(entry, error);
        if (next !== entry) moved.set(entry.id, next);
        failing(laneOf(entry), id, error);
      }
    }
    if (moved.size > 0) await settle(id, moved);
    return done;
  };

  return (id: string): Promise<number> => relayInTurn(id, () => relay(id));
};

/** Concurrent calls for a key share one run. */
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
 * See decision 0002.
 */
export const makeRelay = (kit: Kit, left: readonly 'event'[] = []) => {
  const { accounts, clock, events, sessions } = kit;
  const relayAccount = makeRelayAccount(kit, left);
  const join = makeJoin<number>();

  const tellEnded = async (limit: number): Promise<number> => {
    const ended = await sessions.listEnded(limit);
    for (const { userId, id, endedAt } of ended) {
      await events.publish({
        // The session's own: it is the same when the event is told again.
        id,
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
      const now = clock.now();
      const ours = found.filter(({ pending }) => isMovable(pending, left, now));
      const moved = await Promise.all(ours.map(({ id }) => join(id, () => relayAccount(id))));
      count += moved.reduce((sum, one) => sum + one, 0);
      after = found.length < page ? null : (found.at(-1)?.id ?? null);
    } while (after !== null);
    return left.includes('event') ? count : count + (await join('ended', () => tellEnded(page)));
  };
};
