import {
  CALL,
  COUNT,
  FLAG,
  LINES,
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
import type { IdentityName } from '../providers/unlink.ts';
import type { Operator } from './act.ts';
import type { ListAudit } from './audit/list-audit.ts';
import type { ListAuditBack } from './audit/list-audit-back.ts';
import type { CreateUser } from './create-user.ts';
import type { SetTier } from './grant.ts';
import { directoryFlags, type ListDirectory } from './lists/list-directory.ts';
import type { ListMailsByState } from './mails.ts';
import type { Restrict } from './restrict.ts';
import type { ListStatistics } from './statistics/list-statistics.ts';

const TEXT_OR_NOT = optional(TEXT);
const limit = optional(orNull(NUMBER));
const user = TEXT;
const operator = { actor: TEXT, person: TEXT_OR_NOT, caller: optional(OBJECT), seen: TEXT_OR_NOT };
const by = record<Operator>({ ...operator, reason: TEXT_OR_NOT });
const byWithReason = record<Operator>({ ...operator, reason: TEXT });
const restriction = record<Restrict>({ reason: TEXT, until: orNull(WHOLE) });

/** The arguments of each act, so that a caller without types is told of a wrong one. */
export const actArguments = {
  findUser: { user },
  listDirectory: {
    filter: record<ListDirectory>({
      prefix: TEXT_OR_NOT,
      tier: TEXT_OR_NOT,
      flag: optional(oneOf(...directoryFlags)),
      cursor: TEXT_OR_NOT,
      limit: optional(COUNT),
    }),
  },
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
    lines: LINES,
    options: record<ImportOptions>({ dryRun: FLAG, onBad: CALL, onProgress: CALL, pause: optional(CALL) }),
    by,
  },
  bindIdentities: { options: record<{ dryRun: boolean }>({ dryRun: FLAG }), by },
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
    identity: record<IdentityName>({ provider: TEXT, providerAccountId: TEXT }),
    by: byWithReason,
  },
  removePasskey: { user, id: TEXT, by: byWithReason },
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
  listAuditBack: {
    filter: record<ListAuditBack>({
      user: TEXT_OR_NOT,
      actor: TEXT_OR_NOT,
      action: TEXT_OR_NOT,
      target: TEXT_OR_NOT,
      since: optional(NUMBER),
      until: optional(NUMBER),
      cursor: TEXT_OR_NOT,
      limit: optional(COUNT),
    }),
  },
  verifyAudit: { head: TEXT_OR_NOT },
  listMailsOf: { user },
  statistics: { input: record<ListStatistics>({ days: COUNT }) },
  listMailsByState: {
    filter: record<ListMailsByState>({
      state: optional(oneOf('waiting', 'failing', 'dead')),
      cursor: TEXT_OR_NOT,
      limit: optional(COUNT),
    }),
  },
  retryMails: { id: orNull(TEXT), by },
  resealSecrets: { onProgress: CALL },
  record: { action: TEXT, target: TEXT, after: OBJECT, by },
  noteView: { userId: TEXT, what: TEXT, by },
};
