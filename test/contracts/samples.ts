import { type Account, newAccount, type Restriction, type TwoFactor } from '../../core/accounts/account.ts';
import { type Entitlement, newEntitlement } from '../../core/accounts/entitlement.ts';
import type { LoginKeyRecord } from '../../core/accounts/login-key.ts';
import type { AuditEntry, MailEntry } from '../../core/accounts/outbox-entries.ts';
import type { AuditHead, AuditRow, FollowingRows, HashOptions } from '../../core/accounts/ports.ts';
import type { Session } from '../../core/accounts/session.ts';
import type { Rotation } from '../../core/accounts/sessions/refresh.ts';
import type { CookieUse } from '../../core/accounts/sessions/session-cookie.ts';
import type { Flow, FlowStep } from '../../core/accounts/store-ports.ts';
import type { WebhookEntry } from '../../core/webhooks/ports.ts';

/** A moment in 2026, epoch milliseconds. */
export const NOW = 1_780_000_000_000;

export const sampleAccount = (id: string, differences: Partial<Account> = {}): Account => ({
  ...newAccount({
    id,
    email: `${id}@example.com`,
    displayName: 'Zoë 🦊 "Q"',
    language: 'pl',
    passwordHash: '$scrypt$ln=8,r=8,p=1$c2FsdA$aGFzaA',
    now: NOW,
  }),
  ...differences,
});

export const sampleTwoFactor: TwoFactor = {
  ...{ secret: 'sealed', lastStep: 0, recovery: [], usedRecovery: [] },
  ...{ wrongInRow: 0, heldUntil: null, wrongToday: null },
};

/** A ban, or a disablement. */
export const sampleRestriction = (until: number | null): Restriction => ({ reason: 'spam', at: NOW, until });

/** An entitlement whose access flags make an account an operator, or not. */
export const withFlags = (accessFlags: Entitlement['accessFlags']): Partial<Account> => ({
  entitlements: [{ ...newEntitlement('one', 'DROP', NOW), accessFlags }],
});

export const sampleAuditEntry = (id: string): AuditEntry => ({
  kind: 'audit',
  id,
  at: NOW,
  actor: 'system',
  action: 'user.banned',
  target: 'user',
  reason: null,
  before: null,
  after: { banned: true },
  requestId: null,
});

export const sampleSession = (id: string, differences: Partial<Session> = {}): Session => ({
  id,
  userId: 'user',
  epoch: 0,
  refreshDigest: `digest of ${id}`,
  usedTokens: [],
  tokensFrom: null,
  refreshExpiresAt: NOW + 1_000,
  endsAt: NOW + 5_000,
  createdAt: NOW,
  lastUsedAt: NOW,
  authenticatedAt: NOW,
  methods: ['password'],
  userAgent: null,
  address: '192.0.2.1',
  endedAt: null,
  ...differences,
});

/** A session in a cookie. */
export const sampleCookieSession = (id: string, differences: Partial<Session> = {}): Session =>
  sampleSession(id, {
    refreshDigest: null,
    cookie: { digest: `cookie of ${id}`, previousDigest: null, changedAt: NOW },
    ...differences,
  });

/** A use of the session that `sampleCookieSession` makes. */
export const sampleUse = (differences: Partial<CookieUse> = {}): CookieUse => ({
  now: NOW + 10,
  refreshExpiresAt: NOW + 2_000,
  ...differences,
});

export const sampleLoginKey = (key: string, differences: Partial<LoginKeyRecord> = {}): LoginKeyRecord => ({
  key,
  userId: 'user',
  mark: 'first',
  ...differences,
});

/** A flow whose code can be redeemed for a minute after `now`. */
export const sampleFlow = (id: string, differences: Partial<Flow> = {}, now = NOW): Flow => ({
  id,
  stage: 'answered',
  codeDigest: 'digest of the code',
  content: 'sealed',
  expiresAt: now + 60_000,
  keptUntil: now + 600_000,
  ...differences,
});

/** The step that redeems the code of the flow. */
export const sampleStep = (id: string, differences: Partial<FlowStep> = {}, now = NOW): FlowStep => ({
  id,
  from: 'answered',
  to: 'taken',
  codeDigest: 'digest of the code',
  expiresAt: now + 61_000,
  ...differences,
});

/** A rotation of the session that `sampleSession` makes. */
export const sampleRotation = (sessionId: string, differences: Partial<Rotation> = {}): Rotation => ({
  presented: `digest of ${sessionId}`,
  next: `next digest of ${sessionId}`,
  now: NOW + 10,
  refreshExpiresAt: NOW + 2_000,
  address: '192.0.2.2',
  userAgent: 'Firefox "é"',
  usedTokens: { lifeMs: 100, most: 3 },
  ...differences,
});

export const sampleMail = (id: string, differences: Partial<MailEntry> = {}): MailEntry => ({
  kind: 'mail',
  id,
  at: NOW,
  to: 'someone@example.com',
  language: 'en',
  template: 'verify',
  facts: { replacedAt: '2026-05-28T20:26:40.000Z' },
  sealedCode: 'sealed',
  ...differences,
});

export const sampleDelivery = (id: string, differences: Partial<WebhookEntry> = {}): WebhookEntry => ({
  id,
  at: NOW,
  to: 'someone@example.com',
  endpoint: 'endpoint',
  event: { id: `event ${id}`, at: NOW, type: 'session.revoked', userId: 'user', sessionId: 'session' },
  ...differences,
});

export const sampleAuditRow = (number: number, differences: Partial<AuditRow> = {}): AuditRow => ({
  number,
  entryId: `entry ${number}`,
  target: 'user',
  actor: 'system',
  content: `{"number":${number}}`,
  salt: 'salt',
  digest: `digest ${number}`,
  value: `value ${number}`,
  ...differences,
});

export const headAfter = ({ number, value }: AuditRow): AuditHead => ({
  number,
  value,
  signature: `signature of ${value}`,
});

/** A source of these rows for `append` that ignores the current head. */
export const following =
  (...rows: readonly AuditRow[]) =>
  async (): Promise<FollowingRows> => ({ rows, head: headAfter(rows.at(-1) ?? sampleAuditRow(0)) });

let callCount = 0;

/** Hash options with a new account and a new client at each call. */
export const newHashOptions = (): HashOptions => {
  callCount += 1;
  return { for: { account: `account ${callCount}`, client: `client ${callCount}` } };
};
