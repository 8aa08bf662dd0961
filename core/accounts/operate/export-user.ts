import { makeRelayAccount } from '../aftermath/relay.ts';
import type { Kit } from '../kit.ts';
import type { UserFile } from '../ports.ts';
import type { Method } from '../session.ts';
import { makeAct, makeFindUser, type Operator } from './act.ts';
import { type AuditLine, auditLine } from './audit/audit-rows.ts';
import { makeWalkAudit } from './audit/walk-audit.ts';
import { type ListedMail, listedMail } from './mails.ts';
import { describeUser, type UserView } from './show/describe-user.ts';

/** A session as its record has it, without its tokens. */
export interface ExportedSession {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  /** When and how the owner last proved who they are. */
  readonly authenticatedAt: string;
  readonly methods: readonly Method[];
  readonly endsAt: string;
  readonly userAgent: string | null;
  readonly address: string;
}

/** Everything that is held about a user, but for secrets and what is made of them. Times are ISO 8601. */
export interface UserExport {
  readonly exportedAt: string;
  readonly user: UserView;
  readonly sessions: readonly ExportedSession[];
  /** When addresses that are known only by their digests were last used. */
  readonly knownAddresses: readonly { readonly lastUsedAt: string }[];
  readonly files: readonly UserFile[];
  readonly mails: readonly ListedMail[];
  readonly audit: readonly AuditLine[];
}

/** An operator's address is not about the user. */
const withoutOthersAddress = (line: AuditLine, userId: string): AuditLine =>
  line.actor === userId ? line : { ...line, address: null };

const iso = (time: number) => new Date(time).toISOString();

export const makeExportUser = (kit: Kit) => {
  const { clock, outbox, policy, sessions, userFiles } = kit;
  const act = makeAct(kit);
  const findUser = makeFindUser(kit);
  const relayAccount = makeRelayAccount(kit, ['event']);
  const walkAudit = makeWalkAudit(kit);

  return async (user: string, by: Operator): Promise<UserExport> => {
    const { userId } = await act(user, by, 'user.exported', (account) => ({ next: account }));
    // So that what waits to be logged or mailed is found where it belongs.
    await relayAccount(userId);
    const account = await findUser(userId);
    const audit: AuditLine[] = [];
    for await (const row of walkAudit(userId)) audit.push(withoutOthersAddress(auditLine(row), userId));
    const files: UserFile[] = [];
    for await (const page of userFiles.list(userId)) files.push(...page);
    const now = clock.now();
    return {
      exportedAt: iso(now),
      user: describeUser(account, policy.selfEntitlement, now),
      sessions: (await sessions.list(userId)).map((session) => ({
        id: session.id,
        createdAt: iso(session.createdAt),
        lastUsedAt: iso(session.lastUsedAt),
        authenticatedAt: iso(session.authenticatedAt),
        methods: session.methods,
        endsAt: iso(session.endsAt),
        userAgent: session.userAgent,
        address: session.address,
      })),
      knownAddresses: account.knownAddresses.map(({ lastAt }) => ({ lastUsedAt: iso(lastAt) })),
      files,
      mails: (await outbox.listOf(userId)).map(listedMail),
      audit,
    };
  };
};
