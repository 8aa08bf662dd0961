import { CoreError } from '../errors.ts';
import type { Deps } from './deps.ts';
import { makeReconcile } from './reconcile.ts';
import { billingAccess, settleAccess } from './subscription-access.ts';

/** Users that are checked in one round. */
const PAGE = 100;

export const makeCheckDueSubscriptions = (deps: Deps) => {
  const { clock, log, policy, subscribers } = deps;
  const reconcile = makeReconcile(deps);

  /** Whether it is time to ask the provider about the user's subscription. */
  const isQuestionDue = async (userId: string): Promise<boolean> => {
    const state = (await subscribers.find(userId))?.state ?? null;
    if (state === null) return false;
    const { asksAt } = billingAccess(state, clock.now(), policy);
    return asksAt !== null && asksAt <= clock.now();
  };

  /**
   * Settles the access by the current time, without an answer of the provider. `triedAt`: when a due question got no answer; null
   * if no question was due.
   */
  const settle = (userId: string, triedAt: number | null): Promise<boolean> =>
    subscribers.change(userId, (state) =>
      state === null
        ? undefined
        : settleAccess(triedAt === null ? state : { ...state, triedAt }, clock.now(), policy, 'system'),
    );

  return async (): Promise<number> => {
    const dueUserIds = await subscribers.listDue(clock.now(), PAGE);
    // A provider that is down is not asked again in this round, so that other users' periods still end in time.
    let isAnswering = true;

    const ask = async (userId: string): Promise<boolean> => {
      if (!isAnswering) return false;
      try {
        await reconcile(userId);
        return true;
      } catch (error) {
        isAnswering = !(error instanceof CoreError && error.kind === 'unavailable');
        // An access whose renewal is late stays until the provider answers.
        log.warn('billing.reconcile_failed', { userId, error });
        return false;
      }
    };
    const checkUser = async (userId: string): Promise<void> => {
      if (!(await isQuestionDue(userId))) {
        await settle(userId, null);
        return;
      }
      const triedAt = clock.now();
      if (!(await ask(userId))) await settle(userId, triedAt);
    };

    let checked = 0;
    for (const userId of dueUserIds) {
      try {
        await checkUser(userId);
        checked += 1;
      } catch (error) {
        log.warn('billing.look_failed', { userId, error });
      }
    }
    // Only a full page can leave further users due. If all of its checks failed, 0 lets the job wait for its next run.
    return dueUserIds.length === PAGE ? checked : 0;
  };
};
