import {
  CALL,
  FLAG,
  LINES,
  NUMBER,
  nullable,
  OBJECT,
  object,
  oneOf,
  optional,
  TEXT,
  WHOLE,
} from '../../schema.ts';

import { listAuditBackInput, listAuditInput } from './list-audit.ts';
import { listDirectoryInput } from './list-directory.ts';
import { listMailsByStateInput } from './mails.ts';
import { listStatisticsInput } from './statistics.ts';

const TEXT_OR_NOT = optional(TEXT);
const limit = optional(nullable(NUMBER));
const user = TEXT;
const operator = { actor: TEXT, person: TEXT_OR_NOT, caller: optional(OBJECT), seen: TEXT_OR_NOT };
const by = object({ ...operator, reason: TEXT_OR_NOT });
const byWithReason = object({ ...operator, reason: TEXT });
const restriction = object({ reason: TEXT, until: nullable(WHOLE) });

/** The arguments of each call, so that a caller without types gets an error for an invalid argument. */
export const adminArguments = {
  findUser: { user },
  listDirectory: { filter: listDirectoryInput },
  showUser: { user },
  createUser: {
    input: object({
      email: TEXT,
      displayName: TEXT_OR_NOT,
      verified: optional(FLAG),
      sendReset: optional(FLAG),
    }),
    by,
  },
  exportUser: { user, by },
  importUsers: {
    lines: LINES,
    options: object({
      dryRun: FLAG,
      onBad: CALL,
      onProgress: CALL,
      pause: optional(CALL),
      withoutPasswords: optional(FLAG),
    }),
    by,
  },
  bindIdentities: { options: object({ dryRun: FLAG }), by },
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
  resendCode: { user, by },
  takeEmailAsVerified: { user, by },
  resetTwoFactor: { user, by: byWithReason },
  unlinkIdentity: {
    user,
    identity: object({ provider: TEXT, providerAccountId: TEXT }),
    by: byWithReason,
  },
  removePasskey: { user, id: TEXT, by: byWithReason },
  setTier: {
    user,
    input: object({ tier: TEXT, customStorageLimit: limit, customApiKeyLimit: limit }),
    by,
  },
  clearTier: { user, by },
  appoint: { user, role: oneOf(['founder', 'dev']), by },
  dismiss: { user, by },
  listAudit: { filter: listAuditInput },
  listAuditBack: { filter: listAuditBackInput },
  verifyAudit: { head: TEXT_OR_NOT },
  listMailsOf: { user },
  statistics: { input: listStatisticsInput },
  listMailsByState: { filter: listMailsByStateInput },
  retryMails: { id: nullable(TEXT), by },
  resealSecrets: { onProgress: CALL },
  record: { action: TEXT, target: TEXT, after: OBJECT, by },
  recordWork: {
    work: object({ name: TEXT, done: TEXT, target: TEXT, run: CALL }),
    by,
  },
  noteView: { userId: TEXT, what: TEXT, by },
};
