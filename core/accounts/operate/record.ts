import { makeAppendAudit } from '../aftermath/audit.ts';
import type { Kit } from '../kit.ts';
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
