import { CoreError } from '../errors.ts';
import { billingAccess, settleAccess } from './access.ts';
import type { Kit } from './kit.ts';
import { makeReconcile } from './reconcile.ts';

/** Users that are looked at in one round. */
const PAGE = 100;

export const makeLookAtDue = (kit: Kit) => {
  const { clock, log, policy, subscribers } = kit;
  const reconcile = makeReconcile(kit);

  const isToBeAsked = async (userId: string): Promise<boolean> => {
    const state = (await subscribers.find(userId))?.state ?? null;
    if (state === null) return false;
    const { asksAt } = billingAccess(state, clock.now(), policy);
    return asksAt !== null && asksAt <= clock.now();
  };

  /** Goes by the time alone; `triedAt` is when the provider was asked in vain. */
  const settle = (userId: string, triedAt: number | null): Promise<boolean> =>
    subscribers.change(userId, (known) =>
      known === null
        ? undefined
        : settleAccess(triedAt === null ? known : { ...known, triedAt }, clock.now(), policy, 'system'),
    );

  return async (): Promise<number> => {
    const due = await subscribers.listDue(clock.now(), PAGE);
    // A provider that does not answer is not asked again in this round, so that other users' periods still end in time.
    let answers = true;

    const ask = async (userId: string): Promise<boolean> => {
      if (!answers) return false;
      try {
        await reconcile(userId);
        return true;
      } catch (error) {
        answers = !(error instanceof CoreError && error.kind === 'unavailable');
        // What was granted stays granted meanwhile.
        log.warn('billing.reconcile_failed', { userId, error });
        return false;
      }
    };
    const lookAt = async (userId: string): Promise<void> => {
      const triedAt = (await isToBeAsked(userId)) ? clock.now() : null;
      if (triedAt === null || !(await ask(userId))) await settle(userId, triedAt);
    };

    for (const userId of due) {
      await lookAt(userId).catch((error: unknown) => log.warn('billing.look_failed', { userId, error }));
    }
    return due.length === PAGE ? due.length : 0;
  };
};
