import { CoreError } from '../errors.ts';
import type { Deps } from './deps.ts';
import { makeReconcile } from './reconcile.ts';
import { billingAccess, settleAccess } from './subscription-access.ts';

/** Users that are checked in one round. */
const PAGE = 100;

export const makeCheckDueSubscriptions = (deps: Deps) => {
  const { clock, log, policy, subscribers } = deps;
  const reconcile = makeReconcile(deps);

  const isQuestionDue = async (userId: string): Promise<boolean> => {
    const state = (await subscribers.find(userId))?.state ?? null;
    if (state === null) return false;
    const { asksAt } = billingAccess(state, clock.now(), policy);
    return asksAt !== null && asksAt <= clock.now();
  };

  /** Settles the access by the time alone; `triedAt` is when the provider was asked in vain. */
  const settle = (userId: string, triedAt: number | null): Promise<boolean> =>
    subscribers.change(userId, (state) =>
      state === null
        ? undefined
        : settleAccess(triedAt === null ? state : { ...state, triedAt }, clock.now(), policy, 'system'),
    );

  return async (): Promise<number> => {
    const due = await subscribers.listDue(clock.now(), PAGE);
    // A provider that is down is not asked again in this round, so that other users' periods still end in time.
    let isAnswering = true;

    const ask = async (userId: string): Promise<boolean> => {
      if (!isAnswering) return false;
      try {
        await reconcile(userId);
        return true;
      } catch (error) {
        isAnswering = !(error instanceof CoreError && error.kind === 'unavailable');
        // Granted access stays until the provider answers.
        log.warn('billing.reconcile_failed', { userId, error });
        return false;
      }
    };
    const checkUser = async (userId: string): Promise<void> => {
      const triedAt = (await isQuestionDue(userId)) ? clock.now() : null;
      if (triedAt === null || !(await ask(userId))) await settle(userId, triedAt);
    };

    for (const userId of due) {
      await checkUser(userId).catch((error: unknown) => log.warn('billing.look_failed', { userId, error }));
    }
    // Only after a full page may further users be due; users whose check failed wait for the next run of the job.
    return due.length === PAGE ? due.length : 0;
  };
};
