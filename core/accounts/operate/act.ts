import { invalid } from '../../errors.ts';
import type { Account } from '../account.ts';
import { withPending } from '../entries.ts';
import type { Kit } from '../kit.ts';
import type { AuditValue, Pending } from '../pending.ts';
import { accountNotFound } from '../services.ts';
import { makeFindUser } from './find-user.ts';

/** Who acts, as the audit log names them, and why. */
export interface Operator {
  readonly actor: string;
  readonly reason?: string;
}

/** About whom something was done; `changed` is false when it was so already, and then nothing is written. */
export interface Acted {
  readonly userId: string;
  readonly email: string;
  readonly changed: boolean;
}

/** What an act makes of an account: what the audit row shows before and after, and what else it sets in motion. */
export interface Act {
  readonly next: Account;
  readonly before?: AuditValue;
  readonly after?: AuditValue;
  readonly also?: readonly Pending[];
}

const REASON_LONGEST = 500;

/** A reason as it is recorded. Throws `invalid` (`invalid_reason`). */
export const acceptReason = (given: string | undefined): string | undefined => {
  const reason = given?.trim();
  if (reason === '' || (reason !== undefined && [...reason].length > REASON_LONGEST)) {
    throw invalid('invalid_reason', `The reason must have 1 to ${REASON_LONGEST} characters.`);
  }
  return reason;
};

/**
 * Does something to one user in one write, with its audit row. `decide` gives undefined when there is nothing to
 * change. Throws as `find-user.ts` says, and `invalid` (`invalid_reason`).
 */
export const makeAct = (kit: Kit) => {
  const { accounts, change, clock, entries, log } = kit;
  const findUser = makeFindUser(kit);

  return async (
    user: string,
    by: Operator,
    action: string,
    decide: (account: Account, now: number) => Act | undefined,
  ): Promise<Acted> => {
    const reason = acceptReason(by.reason);
    const { id, email } = await findUser(user);
    const changed = await change<boolean>(
      () => accounts.find(id),
      (account) => {
        if (account === undefined || account.deletedAt !== null) {
          return { next: null, refuse: accountNotFound() };
        }
        const now = clock.now();
        const act = decide(account, now);
        if (act === undefined) return { next: null, answer: false };
        const { next, before, after, also = [] } = act;
        const row = entries.audit({
          action,
          actor: by.actor,
          target: id,
          ...(reason !== undefined && { reason }),
          ...(before !== undefined && { before }),
          ...(after !== undefined && { after }),
          caller: null,
        });
        const touched = next === account ? account : { ...next, updatedAt: now };
        return { next: withPending(touched, row, ...also), answer: true };
      },
    );
    if (changed) log.info('operator.acted', { userId: id, reason: action });
    return { userId: id, email, changed };
  };
};
