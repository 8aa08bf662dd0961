import { backOff } from '../../back-off.ts';
import { makeSharedCalls } from '../../join-running-calls.ts';
import { type Account, isFinallyDeleted } from '../account.ts';
import type { Deps } from '../deps.ts';
import { isLasting } from '../log-failures.ts';
import { type Pending, type TaskEntry, withPending } from '../outbox-entries.ts';
import { CLOCK_SET_BACK_MS } from '../policy.ts';
import { makeTasks } from './tasks.ts';

/** Entries of one lane are relayed in order; different lanes do not wait for each other. */
const laneOf = (entry: Pending): string => (entry.kind === 'task' ? entry.task : entry.kind);

/** A retry that was planned before the clock was set back is due at once. */
const isDue = ({ retry }: TaskEntry, now: number): boolean =>
  retry === undefined || retry.dueAt <= now || retry.from > now + CLOCK_SET_BACK_MS;

/** Tracks blocked lanes. A blocked `erase-audit` also blocks audit rows, since it would erase those relayed ahead of it. */
const makeLanes = (blockedLanes: readonly string[]) => {
  const lanes = new Set<string>(blockedLanes);
  const block = (entry: Pending): void => {
    lanes.add(laneOf(entry));
    if (entry.kind === 'task' && entry.task === 'erase-audit') lanes.add('audit');
  };
  return {
    block,
    /** Whether the entry can be relayed now. An entry that is not due yet blocks its lane. */
    isOpen(entry: Pending, now: number): boolean {
      if (lanes.has(laneOf(entry))) return false;
      if (entry.kind !== 'task' || isDue(entry, now)) return true;
      block(entry);
      return false;
    },
  };
};

/**
 * The number of accounts that are relayed at once. Their writes share a commit. After the commit, the work for all of them goes
 * on in one turn of the event loop. Requests wait for this turn, which takes longer with more accounts.
 */
const AT_ONCE = 32;

const hasRelayable = (pending: readonly Pending[], blockedLanes: readonly string[], now: number): boolean => {
  const lanes = makeLanes(blockedLanes);
  return pending.some((entry) => lanes.isOpen(entry, now));
};

/** Events come last, since a listener of an app may take long: the mails of the same change do not wait for it. */
const eventsLast = (pending: readonly Pending[]): readonly Pending[] => [
  ...pending.filter(({ kind }) => kind !== 'event'),
  ...pending.filter(({ kind }) => kind === 'event'),
];

/**
 * Relays one account's pending entries, those of each lane in order; each step is idempotent. With `event` in `skipped`, events
 * are left to a process with event listeners.
 */
export const makeRelayAccount = (deps: Deps, skipped: readonly 'event'[] = []) => {
  const { accounts, appendAudit, change, clock, entries, events, logFailure, outbox, policy, random } = deps;
  const { relayInTurn } = deps;
  const tasks = makeTasks(deps);

  const perform = async (account: Account, entry: Pending): Promise<void> => {
    switch (entry.kind) {
      case 'mail': {
        // An entry names a user only if its mail belongs to another account.
        const { userId = account.id, ...mail } = entry;
        return outbox.add(userId, mail);
      }
      case 'audit':
        return appendAudit(entry);
      case 'event': {
        const { kind: _, ...event } = entry;
        return events.publish(event);
      }
      case 'task':
        await tasks[entry.task](account, entry);
    }
  };

  /**
   * Only tasks get a planned retry: they call other services. Other entries stay as they are, for the next round: they fail if
   * an event listener throws, or if the store is down and could not record a retry either.
   */
  const retryLater = (entry: Pending, error: unknown): Pending => {
    if (entry.kind !== 'task') return entry;
    const { taskRetryFirstMs: first, taskRetryLongestMs: longest } = policy;
    const attempts = entry.retry?.tries ?? 0;
    const wait = isLasting(error) ? longest : backOff(random, { first, longest }, attempts);
    const now = clock.now();
    return { ...entry, retry: { tries: attempts + 1, from: now, dueAt: now + wait } };
  };

  /**
   * Removes completed entries, and records the next attempt of failed entries. `initial`: the account as it was when the relay
   * began. If it was deleted since, relayed mails and audit rows may have come after their erasure, which is then repeated.
   */
  const settle = (initial: Account, relayed: ReadonlySet<string>, retries: ReadonlyMap<string, Pending>) => {
    const hasErasable =
      !isFinallyDeleted(initial) &&
      initial.pending.some(({ id, kind }) => relayed.has(id) && (kind === 'mail' || kind === 'audit'));
    return change<void>(
      () => accounts.find(initial.id),
      (account) => {
        if (account === undefined) return { next: null, answer: undefined };
        const pending = account.pending
          .filter((entry) => !relayed.has(entry.id))
          .map((entry) => retries.get(entry.id) ?? entry);
        const erasures =
          hasErasable && isFinallyDeleted(account)
            ? [entries.task('erase-mail'), entries.task('erase-audit')]
            : [];
        return { next: withPending({ ...account, pending }, ...erasures), answer: undefined };
      },
    );
  };

  /** Returns the number of relayed entries. A later round retries failed ones; the rest of their lane waits for it. */
  const relay = async (id: string): Promise<number> => {
    const account = await accounts.find(id);
    if (account === undefined) return 0;
    const relayed = new Set<string>();
    const retries = new Map<string, Pending>();
    const lanes = makeLanes(skipped);
    for (const entry of eventsLast(account.pending)) {
      if (!lanes.isOpen(entry, clock.now())) continue;
      try {
        await perform(account, entry);
        relayed.add(entry.id);
      } catch (error) {
        lanes.block(entry);
        const next = retryLater(entry, error);
        if (next !== entry) retries.set(entry.id, next);
        logFailure(laneOf(entry), id, error);
      }
    }
    if (relayed.size + retries.size > 0) await settle(account, relayed, retries);
    return relayed.size;
  };

  return (id: string): Promise<number> => relayInTurn(id, () => relay(id));
};

/**
 * Relays the pending entries of every account and, unless `event` is in `skipped`, publishes events of ended sessions.
 * Returns the number of relayed entries and events. Calls may overlap, since one account may wait long for an external
 * service while the others proceed. See decision 0002.
 */
export const makeRelay = (deps: Deps, skipped: readonly 'event'[] = []) => {
  const { accounts, clock, events, sessions } = deps;
  const relayAccount = makeRelayAccount(deps, skipped);
  // Overlapping calls publish the ended sessions together.
  const share = makeSharedCalls<number>();
  /** The relays under way, by account. */
  const running = new Map<string, Promise<number>>();

  const startRelay = (id: string): Promise<number> => {
    const run = relayAccount(id).finally(() => running.delete(id));
    running.set(id, run);
    return run;
  };
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

  const publishEnded = async (limit: number): Promise<number> => {
    const endedSessions = await sessions.listEnded(limit);
    for (const { userId, id, endedAt } of endedSessions) {
      await events.publish({
        // The session's id, so that a repeated event has the same id.
        id,
        at: endedAt ?? clock.now(),
        type: 'session.revoked',
        userId,
        sessionId: id,
      });
      await sessions.remove(userId, id);
    }
    return endedSessions.length;
  };

  return async (page = AT_ONCE): Promise<number> => {
    let count = 0;
    let after: string | null = null;
    // Relays that an earlier call began are awaited at the end alone: they may wait for a slow listener or service.
    const earlier: Promise<number>[] = [];
    do {
      const pendingAccounts: readonly Account[] = await accounts.listWhere({ fact: 'pending', after }, page);
      const now = clock.now();
      const relayable = pendingAccounts.filter(({ pending }) => hasRelayable(pending, skipped, now));
      const idle = relayable.filter(({ id }) => !running.has(id));
      earlier.push(...relayable.flatMap(({ id }) => running.get(id) ?? []));
      count += sum(await Promise.all(idle.map(({ id }) => startRelay(id))));
      after = pendingAccounts.length < page ? null : (pendingAccounts.at(-1)?.id ?? null);
    } while (after !== null);
    if (!skipped.includes('event')) count += await share('ended', () => publishEnded(page));
    return count + sum(await Promise.all(earlier));
  };
};
