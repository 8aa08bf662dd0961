import { TIME } from '../../answer-schemas.ts';
import { isoTime } from '../../iso-times.ts';
import { anyObject, list, OBJECT, object, type Schema } from '../../schema.ts';
import type { Deps } from '../deps.ts';
import { walkAudit } from '../outbox/audit-rows.ts';
import { makeRelayAccount } from '../outbox/relay.ts';
import type { UserFile } from '../ports.ts';
import type { Method } from '../session.ts';
import { makeAdminAction, type Operator } from './admin-action.ts';
import { findUser } from './find-user.ts';
import { type ListedMail, viewMail } from './list-and-retry-mails.ts';
import { type AuditLine, viewRow } from './list-audit.ts';
import { describeUser, type UserView } from './user-view.ts';

/** A stored session without its tokens. */
export interface ExportedSession {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  /** When and how the owner last authenticated. */
  readonly authenticatedAt: string;
  readonly methods: readonly Method[];
  readonly endsAt: string;
  readonly userAgent: string | null;
  readonly address: string;
}

/** A delivery of the payment provider. */
export interface ExportedDelivery {
  readonly id: string;
  readonly receivedAt: string;
  /** JSON as the provider wrote it. */
  readonly body: string | null;
}

/** All stored data about a user except secrets and their derivatives. Times are ISO 8601. */
export interface UserExport {
  readonly exportedAt: string;
  readonly user: UserView;
  readonly sessions: readonly ExportedSession[];
  /** When the known addresses, stored as digests only, were last used. */
  readonly knownAddresses: readonly { readonly lastUsedAt: string }[];
  readonly files: readonly UserFile[];
  readonly mails: readonly ListedMail[];
  /** What the payment provider wrote about the user. */
  readonly deliveries: readonly ExportedDelivery[];
  readonly audit: readonly AuditLine[];
}

const records = (description: string) => list(OBJECT, { description });

// An export is for people and archives, so the reference does not list the members of its records.
export const userExport = object(
  {
    exportedAt: TIME,
    user: anyObject({ description: 'As the user is shown' }),
    sessions: records('Those that have not ended'),
    knownAddresses: records('When each was last used'),
    files: records('What is held of each file'),
    mails: records('Those of the outbox'),
    deliveries: records('What the payment provider wrote about the user'),
    audit: records('The rows about the user, and of what they did'),
  },
  { title: 'UserExport' },
) as Schema as Schema<UserExport>;

/** An operator's address is not about the user. */
const withoutOthersAddress = (line: AuditLine, userId: string): AuditLine =>
  line.actor === userId ? line : { ...line, address: null };

export const makeExportUser = (deps: Deps) => {
  const { clock, outbox, policy, sessions, userBilling, userFiles } = deps;
  const runAction = makeAdminAction(deps, { action: 'user.exported' });
  const relayAllButEvents = makeRelayAccount(deps, ['event']);

  return async (user: string, by: Operator): Promise<UserExport> => {
    const { userId } = await runAction(user, by, (account) => ({ next: account }));
    // The action relays, too, but ignores a failure: then audit rows and mails would be absent from the stores read below.
    await relayAllButEvents(userId);
    const account = await findUser(deps, userId);
    const audit: AuditLine[] = [];
    for await (const row of walkAudit(deps, userId)) audit.push(withoutOthersAddress(viewRow(row), userId));
    const files: UserFile[] = [];
    for await (const page of userFiles.list(userId)) files.push(...page);
    const now = clock.now();
    return {
      exportedAt: isoTime(now),
      user: describeUser(account, policy.selfEntitlement, now),
      sessions: (await sessions.list(userId)).map((session) => ({
        id: session.id,
        createdAt: isoTime(session.createdAt),
        lastUsedAt: isoTime(session.lastUsedAt),
        authenticatedAt: isoTime(session.authenticatedAt),
        methods: session.methods,
        endsAt: isoTime(session.endsAt),
        userAgent: session.userAgent,
        address: session.address,
      })),
      knownAddresses: account.knownAddresses.map(({ lastAt }) => ({ lastUsedAt: isoTime(lastAt) })),
      files,
      mails: (await outbox.listOf(userId)).map(viewMail),
      deliveries: (await userBilling.listDeliveries(userId)).map(({ id, receivedAt, body }) => ({
        id,
        receivedAt: isoTime(receivedAt),
        body,
      })),
      audit,
    };
  };
};
