import { CALL, FLAG, LINES, list, nullable, OBJECT, object, optional, TEXT } from '../../schema.ts';
import { TEXT_OR_NOT } from '../argument-schemas.ts';
import { operatorInput } from './admin-action.ts';
import { createUserInput } from './create-user.ts';
import { listMailsByStateInput } from './list-and-retry-mails.ts';
import { listAuditBackInput, listAuditInput } from './list-audit.ts';
import { listDirectoryInput } from './list-directory.ts';
import { listStatisticsInput } from './take-statistics.ts';
import { userActionArguments } from './user-actions.ts';

const user = TEXT;
const by = operatorInput;

/** The arguments of each call, so that a caller without types gets an error for an invalid argument. */
export const adminArguments = {
  findUser: { user },
  findEmails: { names: list(nullable(TEXT)) },
  listDirectory: { filter: listDirectoryInput },
  showUser: { user },
  createUser: { input: createUserInput, by },
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
  ...userActionArguments,
  listSessions: { user },
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
