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
import type { IdentityName } from '../providers/unlink-identity.ts';
import type { Operator } from './admin-action.ts';
import type { CreateUserInput } from './create-user.ts';
import type { UserImportOptions } from './import-users.ts';
import type { ListAuditBackInput, ListAuditInput } from './list-audit.ts';
import { directoryFlags, type ListDirectoryInput } from './list-directory.ts';
import type { ListMailsByStateInput } from './mails.ts';
import type { RecordedWork } from './record-work.ts';
import type { RestrictInput } from './restrict-user.ts';
import type { SetTierInput } from './set-tier.ts';
import type { ListStatisticsInput } from './statistics.ts';

const TEXT_OR_NOT = optional(TEXT);
const limit = optional(orNull(NUMBER));
const user = TEXT;
const operator = { actor: TEXT, person: TEXT_OR_NOT, caller: optional(OBJECT), seen: TEXT_OR_NOT };
const by = record<Operator>({ ...operator, reason: TEXT_OR_NOT });
const byWithReason = record<Operator>({ ...operator, reason: TEXT });
const restriction = record<RestrictInput>({ reason: TEXT, until: orNull(WHOLE) });

/** The arguments of each call, so that a caller without types gets an error for an invalid argument. */
export const adminArguments = {
  findUser: { user },
  listDirectory: {
    filter: record<ListDirectoryInput>({
      prefix: TEXT_OR_NOT,
      tier: TEXT_OR_NOT,
      flag: optional(oneOf(...directoryFlags)),
      cursor: TEXT_OR_NOT,
      limit: optional(COUNT),
    }),
  },
  showUser: { user },
  createUser: {
    input: record<CreateUserInput>({
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
    options: record<UserImportOptions>({
      dryRun: FLAG,
      onBad: CALL,
      onProgress: CALL,
      pause: optional(CALL),
      withoutPasswords: optional(FLAG),
    }),
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
    input: record<SetTierInput>({ tier: TEXT, customStorageLimit: limit, customApiKeyLimit: limit }),
    by,
  },
  clearTier: { user, by },
  appoint: { user, role: oneOf('founder', 'dev'), by },
  dismiss: { user, by },
  listAudit: {
    filter: record<ListAuditInput>({
      user: TEXT_OR_NOT,
      actor: TEXT_OR_NOT,
      action: TEXT_OR_NOT,
      since: optional(NUMBER),
    }),
  },
  listAuditBack: {
    filter: record<ListAuditBackInput>({
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
  statistics: { input: record<ListStatisticsInput>({ days: COUNT }) },
  listMailsByState: {
    filter: record<ListMailsByStateInput>({
      state: optional(oneOf('waiting', 'failing', 'dead')),
      cursor: TEXT_OR_NOT,
      limit: optional(COUNT),
    }),
  },
  retryMails: { id: orNull(TEXT), by },
  resealSecrets: { onProgress: CALL },
  record: { action: TEXT, target: TEXT, after: OBJECT, by },
  recordWork: {
    work: record<RecordedWork<unknown>>({ name: TEXT, done: TEXT, target: TEXT, run: CALL }),
    by,
  },
  noteView: { userId: TEXT, what: TEXT, by },
};
