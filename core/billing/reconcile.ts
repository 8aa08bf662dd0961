import { CoreError } from '../errors.ts';
import { pagesOf } from '../pages.ts';
import { settleAccess } from './access.ts';
import { makeLinkCustomer } from './apply-events.ts';
import { subscriberNotFound } from './errors.ts';
import type { Kit } from './kit.ts';
import { takeAnswer } from './state.ts';
import { NO_BILLING } from './subscription.ts';

const PAGE = 100;
/** How often one user is asked about when the provider asks for a pause each time. */
const TRIES = 5;

/** Of so many users, how many were asked about, and how many the provider gave no answer on. */
export interface Reconciled {
  readonly asked: number;
  readonly failed: number;
}

export const makeReconcile = (kit: Kit) => {
  const { clock, policy, provider, subscribers } = kit;
  const linkCustomer = makeLinkCustomer(kit);

  return async (userId: string): Promise<void> => {
    if ((await subscribers.find(userId)) === undefined) throw subscriberNotFound();
    const askedAt = clock.now();
    const answer = await provider.stateOf(userId);
    const isThere = await subscribers.change(userId, (known) =>
      known === null && answer.customer === undefined
        ? undefined
        : settleAccess(
            takeAnswer(known ?? NO_BILLING, answer, askedAt, policy.answerMargin),
            clock.now(),
            policy,
            'provider',
          ),
    );
    if (isThere && answer.customer !== undefined) await linkCustomer(answer.customer.customerId, userId);
  };
};

/** A user whose account is deleted meanwhile is passed over, too, and is no failure. */
export const makeReconcileAll = (kit: Kit) => {
  const { log, provider, subscribers } = kit;
  const reconcile = makeReconcile(kit);

  return async (
    onProgress: (done: Reconciled) => void,
    pause: (milliseconds: number) => Promise<void>,
  ): Promise<Reconciled> => {
    const reconcileInTurn = async (userId: string, tries = TRIES): Promise<void> => {
      try {
        await reconcile(userId);
      } catch (error) {
        const rest = provider.restsFor();
        if (rest === 0 || tries === 1) throw error;
        await pause(rest);
        await reconcileInTurn(userId, tries - 1);
      }
    };

    let [asked, failed] = [0, 0];
    for await (const page of pagesOf<string>(PAGE, subscribers.list)) {
      for (const userId of page) {
        try {
          await reconcileInTurn(userId);
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
  ({ subscribers }: Pick<Kit, 'subscribers'>) =>
  async (): Promise<number> => {
    let count = 0;
    for await (const page of pagesOf<string>(PAGE, subscribers.list)) count += page.length;
    return count;
  };
