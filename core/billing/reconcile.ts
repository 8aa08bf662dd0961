import { CoreError } from '../errors.ts';
import { billingAccess } from './access.ts';
import { subscriberNotFound } from './errors.ts';
import type { Kit } from './kit.ts';
import { settleAccess } from './settle-access.ts';
import { takeAnswer } from './state.ts';
import { NO_BILLING } from './subscription.ts';

const PAGE = 100;

/** Of so many users, how many were asked about, and how many the provider gave no answer on. */
export interface Reconciled {
  readonly asked: number;
  readonly failed: number;
}

/**
 * Asks the provider about a user, and takes its answer for what is so. Throws `missing` (`user_not_found`), and
 * `unavailable` while the provider gives none.
 */
export const makeReconcile = ({ clock, links, policy, provider, subscribers }: Kit) => {
  return async (userId: string): Promise<void> => {
    if ((await subscribers.find(userId)) === undefined) throw subscriberNotFound();
    const askedAt = clock.now();
    const answer = await provider.stateOf(userId);
    if (answer !== undefined) await links.link(answer.customerId, userId);
    await subscribers.change(userId, (known) =>
      known === null && answer === undefined
        ? undefined
        : settleAccess(takeAnswer(known ?? NO_BILLING, answer, askedAt), clock.now(), policy, 'provider'),
    );
  };
};

/** The same for every user that billing knows of, a page at a time. What fails is counted, and passed over. */
export const makeReconcileAll = (kit: Kit) => {
  const { log, subscribers } = kit;
  const reconcile = makeReconcile(kit);

  return async (onProgress: (done: Reconciled) => void): Promise<Reconciled> => {
    let [asked, failed] = [0, 0];
    let after: string | null = null;
    for (;;) {
      const page: readonly string[] = await subscribers.list(after, PAGE);
      for (const userId of page) {
        try {
          await reconcile(userId);
          asked += 1;
        } catch (error) {
          if (!(error instanceof CoreError)) throw error;
          failed += 1;
          log.warn('billing.reconcile_failed', { userId, reason: error.code });
        }
        onProgress({ asked, failed });
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return { asked, failed };
      after = last;
    }
  };
};

/** Counts the users that billing knows of, in pages. */
export const makeCountCustomers =
  ({ subscribers }: Kit) =>
  async (): Promise<number> => {
    let count = 0;
    let after: string | null = null;
    for (;;) {
      const page: readonly string[] = await subscribers.list(after, PAGE);
      count += page.length;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return count;
      after = last;
    }
  };

/**
 * Looks at users whose billing changes with the time: a period that ended, a grace that ran out, a renewal that did not
 * come, about which the provider is asked. Gives how many there were.
 */
export const makeLookAtDue = (kit: Kit) => {
  const { clock, log, policy, subscribers } = kit;
  const reconcile = makeReconcile(kit);

  const lookAt = async (userId: string): Promise<void> => {
    const state = (await subscribers.find(userId))?.state ?? null;
    if (state === null) return;
    const { asksAt } = billingAccess(state, clock.now(), policy);
    let triedAt: number | null = null;
    if (asksAt !== null && asksAt <= clock.now()) {
      triedAt = clock.now();
      try {
        return await reconcile(userId);
      } catch (error) {
        if (!(error instanceof CoreError) || error.kind !== 'unavailable') throw error;
        // What was granted stays granted meanwhile.
        log.warn('billing.reconcile_failed', { userId, reason: error.code });
      }
    }
    await subscribers.change(userId, (known) =>
      known === null
        ? undefined
        : settleAccess(triedAt === null ? known : { ...known, triedAt }, clock.now(), policy, 'system'),
    );
  };

  return async (): Promise<number> => {
    const due = await subscribers.listDue(clock.now(), PAGE);
    for (const userId of due) {
      await lookAt(userId).catch((error: unknown) => log.warn('billing.look_failed', { userId, error }));
    }
    return due.length === PAGE ? due.length : 0;
  };
};
