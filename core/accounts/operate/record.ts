import { makeAppendAudit } from '../aftermath/audit.ts';
import type { Kit } from '../kit.ts';
import { calledFrom } from '../needs.ts';
import type { AuditValue } from '../pending.ts';
import { acceptOperator, type Operator } from './act.ts';

/** Records what an operator did beside the accounts, such as a rotation of keys. */
export const makeRecord = (kit: Kit) => {
  const { entries, log } = kit;
  const appendAudit = makeAppendAudit(kit);

  return async (action: string, target: string, after: AuditValue, by: Operator): Promise<void> => {
    const who = acceptOperator(by);
    await appendAudit(entries.audit({ action, target, after, ...who }));
    log.info('operator.acted', { id: target, reason: action });
  };
};

/** Notes in the process log, and in no row, that an operator looked at a user. */
export const makeNoteView =
  ({ log }: Pick<Kit, 'log'>) =>
  async (userId: string, what: string, { actor, caller }: Operator): Promise<void> => {
    log.info('operator.viewed', { userId, id: actor, reason: what, ...(caller && calledFrom(caller)) });
  };
