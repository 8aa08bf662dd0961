import {
  CALL,
  checkArguments,
  FLAG,
  NUMBER,
  OBJECT,
  oneOf,
  optional,
  orNull,
  record,
  TEXT,
  WHOLE,
} from '../../arguments.ts';
import type { ImportOptions } from '../../import-lines.ts';
import { makeAppendAudit } from '../aftermath/audit.ts';
import type { Kit } from '../kit.ts';
import type { AuditValue } from '../pending.ts';
import { acceptOperator, type Operator } from './act.ts';
import { type ListAudit, makeListAudit } from './audit/list-audit.ts';
import { makeVerifyAudit } from './audit/verify-audit.ts';
import { type CreateUser, makeCreateUser } from './create-user.ts';
import { makeDeleteUser } from './delete-user.ts';
import { makeEndUserSessions } from './end-sessions.ts';
import { makeExportUser } from './export-user.ts';
import { makeFindUser } from './find-user.ts';
import { makeAppoint, makeClearTier, makeDismiss, makeSetTier, type SetTier } from './grant.ts';
import { makeImportUsers } from './import-users.ts';
import { makeListMails, makeRetryMails } from './mails.ts';
import { makeCountSealed, makeResealSecrets } from './reseal.ts';
import { makeResetTwoFactor } from './reset-two-factor.ts';
import { makeBan, makeDisable, makeEnable, makeUnban, type Restrict } from './restrict.ts';
import { makeSendReset } from './send-reset.ts';
import { makeEndUserSession, makeListUserSessions } from './sessions.ts';
import { makeSetEmail } from './set-email.ts';
import { makeShowUser } from './show-user.ts';
import { makeTakeEmailAsVerified } from './take-email-as-verified.ts';
import { makeUnlock } from './unlock.ts';

const TEXT_OR_NOT = optional(TEXT);
const limit = optional(orNull(NUMBER));
const user = TEXT;
const by = record<Operator>({ actor: TEXT, person: TEXT_OR_NOT, reason: TEXT_OR_NOT });
const byWithReason = record<Operator>({ actor: TEXT, person: TEXT_OR_NOT, reason: TEXT });
const restriction = record<Restrict>({ reason: TEXT, until: orNull(WHOLE) });

/** The arguments of each act, so that a caller without types is told of a wrong one. */
const actArguments = {
  findUser: { user },
  showUser: { user },
  createUser: {
    input: record<CreateUser>({
      email: TEXT,
      displayName: TEXT_OR_NOT,
      verified: optional(FLAG),
      sendReset: optional(FLAG),
    }),
    by,
  },
  exportUser: { user, by },
  importUsers: {
    lines: OBJECT,
    options: record<ImportOptions>({ dryRun: FLAG, onBad: CALL, onProgress: CALL, pause: optional(CALL) }),
    by,
  },
  deleteUser: { user, by },
  ban: { user, restriction, by },
  unban: { user, by },
  disable: { user, restriction, by },
  enable: { user, by },
  unlock: { user, by },
  endSessions: { user, by },
  endSession: { user, sessionId: TEXT, by },
  listSessions: { user },
  setEmail: { user, email: TEXT, by: byWithReason },
  sendReset: { user, by },
  takeEmailAsVerified: { user, by },
  resetTwoFactor: { user, by: byWithReason },
  setTier: {
    user,
    input: record<SetTier>({ tier: TEXT, customStorageLimit: limit, customApiKeyLimit: limit }),
    by,
  },
  clearTier: { user, by },
  appoint: { user, role: oneOf('founder', 'dev'), by },
  dismiss: { user, by },
  listAudit: {
    filter: record<ListAudit>({
      user: TEXT_OR_NOT,
      actor: TEXT_OR_NOT,
      action: TEXT_OR_NOT,
      since: optional(NUMBER),
    }),
  },
  verifyAudit: { head: TEXT_OR_NOT },
  retryMails: { id: orNull(TEXT), by },
  resealSecrets: { onProgress: CALL },
  record: { action: TEXT, target: TEXT, after: OBJECT, by },
};

/** Records what an operator did beside the accounts, such as a rotation of keys. */
const makeRecord = (kit: Kit) => {
  const { entries, log } = kit;
  const appendAudit = makeAppendAudit(kit);

  return async (action: string, target: string, after: AuditValue, by: Operator): Promise<void> => {
    const who = acceptOperator(by);
    await appendAudit(entries.audit({ action, target, after, caller: null, ...who }));
    log.info('operator.acted', { id: target, reason: action });
  };
};

/** What operators do; `Operate` in the API says what each call promises. */
export const makeOperate = (kit: Kit) => {
  const findUser = makeFindUser(kit);
  const acts = {
    findUser: async (user: string) => {
      const { id, email } = await findUser(user);
      return { id, email };
    },
    stats: () => kit.directory.stats(kit.clock.now()),
    showUser: makeShowUser(kit),
    createUser: makeCreateUser(kit),
    exportUser: makeExportUser(kit),
    importUsers: makeImportUsers(kit),
    deleteUser: makeDeleteUser(kit),
    ban: makeBan(kit),
    unban: makeUnban(kit),
    disable: makeDisable(kit),
    enable: makeEnable(kit),
    unlock: makeUnlock(kit),
    endSessions: makeEndUserSessions(kit),
    endSession: makeEndUserSession(kit),
    listSessions: makeListUserSessions(kit),
    setEmail: makeSetEmail(kit),
    sendReset: makeSendReset(kit),
    takeEmailAsVerified: makeTakeEmailAsVerified(kit),
    resetTwoFactor: makeResetTwoFactor(kit),
    setTier: makeSetTier(kit),
    clearTier: makeClearTier(kit),
    appoint: makeAppoint(kit),
    dismiss: makeDismiss(kit),
    listAudit: makeListAudit(kit),
    verifyAudit: makeVerifyAudit(kit),
    listMails: makeListMails(kit),
    retryMails: makeRetryMails(kit),
    resealSecrets: makeResealSecrets(kit),
    countSealed: makeCountSealed(kit),
    record: makeRecord(kit),
  };
  return checkArguments(acts, actArguments, ['listAudit']);
};
