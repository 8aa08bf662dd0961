import { CoreError } from '../errors.ts';
import { pagesOf } from '../pagination.ts';
import { makeLinkCustomer } from './apply-events.ts';
import type { Deps } from './deps.ts';
import { subscriberNotFound } from './errors.ts';
import { foldAnswer } from './fold-events.ts';
import { NO_BILLING } from './subscription.ts';
import { settleAccess } from './subscription-access.ts';

const PAGE = 100;
/** Attempts for one user while the provider demands a pause each time. */
const MAX_ATTEMPTS = 5;

/** `asked`: for how many users the provider answered. `failed`: for how many it did not. */
export interface ReconcileResult {
  readonly asked: number;
  readonly failed: number;
}

const isSameEmail = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Asks the provider for a user's billing state, and stores the answer. */
export const makeReconcile = (deps: Deps) => {
  const { clock, log, policy, provider, subscribers } = deps;
  const linkCustomer = makeLinkCustomer(deps);

  /**
   * Gives the provider the user's email if the provider has another one: a checkout may have begun before the email was changed.
   * A failure is left to the next reconciliation, since the user's access does not depend on the email.
   */
  const correctEmail = async (userId: string, providerEmail: string): Promise<void> => {
    // Read after the answer, so that an email that was changed meanwhile is not set back.
    const email = (await subscribers.find(userId))?.email;
    if (email === undefined || isSameEmail(email, providerEmail)) return;
    try {
      await provider.changeEmail(userId, email);
    } catch (error) {
      log.warn('billing.reconcile_failed', { userId, error });
    }
  };

  return async (userId: string): Promise<void> => {
    const subscriber = await subscribers.find(userId);
    if (subscriber === undefined) throw subscriberNotFound();
    const requestedAt = clock.now();
    const answer = await provider.stateOf(userId);
    // There is nothing to store for a user without billing whom the provider does not know.
    const hasAccount = await subscribers.change(userId, (state) =>
      state === null && answer.customer === undefined
        ? undefined
        : settleAccess(
            foldAnswer(state ?? NO_BILLING, answer, requestedAt, policy.answerMarginMs),
            clock.now(),
            policy,
            'provider',
          ),
    );
    if (!hasAccount || answer.customer === undefined) return;
    const { customerId, email = subscriber.email } = answer.customer;
    await linkCustomer(customerId, userId);
    if (!isSameEmail(email, subscriber.email)) await correctEmail(userId, email);
  };
};

/** Reconciles all users. A user whose account is deleted meanwhile counts neither as asked nor as failed. */
export const makeReconcileAll = (deps: Deps) => {
  const { log, provider, subscribers } = deps;
  const reconcile = makeReconcile(deps);

  return async (
    onProgress: (done: ReconcileResult) => void,
    pause: (milliseconds: number) => Promise<void>,
  ): Promise<ReconcileResult> => {
    const reconcileWithPauses = async (userId: string, attemptsLeft = MAX_ATTEMPTS): Promise<void> => {
      try {
        await reconcile(userId);
      } catch (error) {
        const pauseMs = provider.rateLimitEndsInMs();
        if (pauseMs === 0 || attemptsLeft === 1) throw error;
        await pause(pauseMs);
        await reconcileWithPauses(userId, attemptsLeft - 1);
      }
    };

    let asked = 0;
    let failed = 0;
    for await (const page of pagesOf<string>(PAGE, subscribers.list)) {
      for (const userId of page) {
        try {
          await reconcileWithPauses(userId);
          asked += 1;
        } catch (error) {
          if (!(error instanceof CoreError)) throw error;
          if (error.kind === 'missing') continue;
          failed += 1;
          log.warn('billing.reconcile_failed', { userId, reason: error.code });
        }
        onProgress({ asked, failed });
      }
    }
    return { asked, failed };
  };
};

export const makeCountCustomers =
  ({ subscribers }: Pick<Deps, 'subscribers'>) =>
  async (): Promise<number> => {
    let count = 0;
    for await (const page of pagesOf<string>(PAGE, subscribers.list)) count += page.length;
    return count;
  };
