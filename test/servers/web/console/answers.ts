import type { Page } from 'playwright-core';
import type { HealthView } from '../../../../core/index.ts';
import type { User } from '../../../../servers/web/console/response-types.ts';

/** A text of an attacker that the console must not execute. */
export const ATTACK = '"><img src=x onerror=alert(1)><script>alert(1)</script>{{7*7}}javascript:alert(1)';

const id = (number: number) => `0199a0b1-0000-7000-8000-${String(number).padStart(12, '0')}`;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

/** An address whose part before the @ looks like markup. */
export const ODD_EMAIL = '"<img/src=x>"@example.com';

const listed = (number: number, members: object = {}) => ({
  ...{ id: id(number), email: `user${number}@example.com`, displayName: null, tier: 'free' },
  ...{ isPremium: false, verified: true, twoFactor: false, banned: null, disabled: null, operator: null },
  ...{ createdAt: ago(number * 4_000), ...members },
});

const directory = {
  users: [
    listed(1, { email: ODD_EMAIL, displayName: ATTACK, tier: 'pro', twoFactor: true }),
    listed(2, { verified: false, displayName: 'مرحبا بالعالم' }),
    listed(3, { banned: { until: ago(-90_000) } }),
    listed(4, { operator: 'founder', disabled: { until: null } }),
  ],
  cursor: 'next',
};

const why: User['why'] = {
  effective: 'grant',
  grant: {
    fields: { tier: 'pro' },
    by: id(4),
    byEmail: 'user4@example.com',
    at: ago(90_000),
    reason: ATTACK,
  },
  billing: { tier: 'pro-lite', isPremium: true, at: ago(200_000) },
  claim: null,
};

export const user: User = {
  ...{ id: id(1), email: ODD_EMAIL, emailVerified: true, displayName: ATTACK, language: 'en' },
  ...{ hasPassword: true, twoFactorEnabled: true, recoveryCodesLeft: 6, tier: 'pro', isPremium: true },
  banned: { reason: ATTACK, since: ago(100), until: null, inForce: true },
  disabled: null,
  customDomain: { domain: 'files.example.com', verified: true },
  entitlements: [
    {
      ...{ id: id(2), userId: id(1), service: 'DROP', tier: 'pro', isPremium: true, connected: true },
      ...{ accessFlags: {}, metadata: {}, customStorageLimit: 2 ** 40, customApiKeyLimit: null },
      ...{ createdAt: ago(9_000_000), updatedAt: ago(100) },
    },
  ],
  ...{ createdAt: ago(9_000_000), updatedAt: ago(100), sessions: 2, files: { count: 1_204 }, why },
  ...{ avatar: null, formerDomains: [], formerEmails: [], emailChange: null },
  ...{ oauthAccounts: [], passkeys: [], billing: null },
  ...{ signInMethods: ['password'], secondFactors: ['totp'], wrongPasswords: 10, wrongCodes: 0 },
  held: ['password'],
};

const sessions = [
  { id: id(1), createdAt: ago(9_000), lastUsedAt: ago(60), userAgent: ATTACK, ip: '203.0.113.7' },
  { id: id(2), createdAt: ago(9_000), lastUsedAt: ago(60), userAgent: null, ip: '::1', kind: 'console' },
];

const row = (number: number, members: object = {}) => ({
  ...{ number, at: ago(number * 100), action: 'entitlement.changed', actor: id(4), target: id(1) },
  ...{ person: null, reason: ATTACK, before: { tier: 'free', limit: 1 }, after: { tier: ATTACK, limit: 1 } },
  ...{ requestId: '0190a0b0-6d2f-4c1e-9a53-1f2e3d4c5b6a', address: '203.0.113.7', ...members },
});

const erased = { at: null, action: null, reason: null, before: null, after: null, requestId: null };
/** A row of the audit log. */
export const auditRow = row(9);

const audit = {
  rows: [row(9), row(8, { actor: 'cli', person: 'eve', target: 'outbox' }), row(7, erased)],
  emails: { [id(1)]: ODD_EMAIL, [id(4)]: 'user4@example.com' },
  cursor: 'next',
};

const mail = (number: number, members: object) => ({
  ...{ id: id(number), state: 'waiting', userId: id(number), to: ODD_EMAIL, template: 'verify' },
  ...{ createdAt: ago(400), tries: 2, dueAt: ago(-60), lastFailure: null, ...members },
});

const mails = [mail(1, {}), mail(2, { state: 'dead', dueAt: null, lastFailure: ATTACK })];

const delivery = (number: number, members: object) => ({
  ...{ id: `evt_${number}`, type: 'subscription.updated', standing: 'applied', receivedAt: ago(1_000) },
  ...{ dueAt: null, tries: 1, lastFailure: null, userId: id(1), ...members },
});

const deliveries = [
  delivery(1, {}),
  delivery(2, { type: null, standing: 'dead', lastFailure: ATTACK, userId: null }),
];

const subscription = {
  ...{ id: 's', status: 'active', plan: 'pro-lite', productName: ATTACK, amount: 3_999, currency: 'PLN' },
  ...{ interval: 'month', currentPeriodEnd: ago(-900_000), cancelAtPeriodEnd: true },
};

export const health: HealthView = {
  at: ago(0),
  services: [
    { service: 'drop-accounts', status: 'degraded', down: ['mail', 'cache'], up: ['store', 'oidc:acme'] },
    { service: 'drop-metadata', status: 'unreachable', down: [], up: [] },
  ],
  jobs: [
    { task: 'outbox', everySeconds: 5, lastSuccessAt: ago(3), heldBy: 'host:4711' },
    { task: 'statistics', everySeconds: 3_600, lastSuccessAt: ago(90_000), heldBy: null },
  ],
  backlog: { mailWaiting: 2, mailDead: 1, mailOldestSeconds: 400, deliveriesPending: 0, deliveriesDead: 1 },
};

/** The days of the charts: two days have no statistics. */
const days = Array.from({ length: 30 }, (_, index) => ({
  ...{ day: ago((29 - index) * 86_400).slice(0, 10), signUps: index % 7, verified: index % 5 },
  ...{ total: 400 + index, byTier: { free: 300 + index, pro: 100 }, mailWaitingMost: 3, mailDead: 1 },
  ...{ active1: 100 + index, active7: 200, active30: 300, cacheHits: 900, cacheMisses: index },
})).filter((_, index) => index !== 11 && index !== 12);

const totals = {
  total: 429,
  byTier: { free: 329, pro: 100 },
  verified: 410,
  twoFactor: 57,
  banned: 1,
  disabled: 1,
};

const keys = [
  { kind: 'signing', id: '5Vx0l2nW1bqjUQ1k8bXo0mS3yq2Q9w7c4nZr6tYpLkE', state: 'current', createdAt: ago(1) },
  { kind: 'master', id: 'k2', state: 'old', createdAt: null, sealed: 12_345, countedAt: ago(1_000) },
];

const verdict = { intact: false, rows: 9, erased: 1, head: '9.abc', broken: { number: 4, problem: ATTACK } };

const ANSWERS: Readonly<Record<string, object>> = {
  directory,
  [`users/${id(1)}`]: { user },
  [`users/${id(1)}/sessions`]: { sessions },
  [`users/${id(1)}/audit`]: audit,
  [`users/${id(1)}/billing`]: { billing: { customers: [], subscriptions: [subscription] }, deliveries },
  [`users/${id(1)}/mails`]: { mails },
  audit,
  'audit/verify': { state: 'done', checked: 9, rows: 9, startedAt: ago(10), verdict },
  mails: { mails },
  deliveries: { deliveries, emails: audit.emails },
  health,
  statistics: { users: totals, days },
  keys: { keys },
};

/** Answers the reads of the page with these records, so that the server needs none of them. */
export const answerReads = async (page: Page): Promise<void> => {
  await page.route('**/api/admin/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    const json = ANSWERS[pathname.replace('/api/admin/', '')];
    if (route.request().method() === 'GET' && json !== undefined) await route.fulfill({ json });
    else await route.fallback();
  });
};
