import { expect } from 'chai';
import type { Accounts } from '../../../core/index.ts';
import { NOW } from '../../contracts/samples.ts';
import { smallestPng } from '../../servers/accounts/profile/avatars.ts';
import { useAdminAccounts } from './admin/open-admin-accounts.ts';
import { type AuditCase, type AuditCaseUser, testTable } from './audit-table.ts';
import { caller, password } from './open-core.ts';

const newPassword = 'another horse battery';
const DOMAIN = 'files.example.dev';

const writesNone = (act: AuditCase['act'], first?: AuditCase['act']): readonly AuditCase[] => [
  { act, rows: [], ...(first && { first }) },
];
const writesRow = (row: string, act: AuditCase['act'], first?: AuditCase['act']): readonly AuditCase[] => [
  { act, rows: [row], ...(first && { first }) },
];

const grant = ({ accounts, id }: AuditCaseUser, tier: string) =>
  accounts.setUserEntitlement(undefined, id, { service: 'DROP', tier }, caller);
const claimDomain = async (context: AuditCaseUser) => {
  await grant(context, 'enterprise');
  return context.accounts.setCustomDomain(await context.principal(), { domain: DOMAIN }, caller);
};
const expectRefusal = async (call: Promise<unknown>): Promise<void> => {
  let refusal: unknown;
  await call.catch((error: unknown) => {
    refusal = error;
  });
  expect(refusal).to.be.instanceOf(Error);
};

/** By use case: a row for each change that affects security or money, none for other calls. */
const TABLE: Readonly<
  Record<
    Exclude<keyof Accounts, 'console' | 'operate' | 'background' | 'open' | 'passkeys' | 'providers'>,
    readonly AuditCase[]
  >
> = {
  register: writesNone(({ accounts, email }) =>
    expectRefusal(accounts.register({ email, password }, caller)),
  ),
  verifyEmail: writesNone(({ accounts, email }) =>
    expectRefusal(accounts.verifyEmail({ email, code: '000000' }, caller)),
  ),
  resendVerification: writesNone(({ accounts, email }) =>
    expectRefusal(accounts.resendVerification({ email }, caller)),
  ),
  logIn: [
    { act: ({ logIn, email }) => logIn(email), rows: [] },
    {
      act: async ({ accounts, email, turnOnFactor }) => {
        const { fresh } = await turnOnFactor();
        await accounts.logIn({ email, password, verificationCode: fresh() }, caller);
      },
      rows: ['two_factor.enabled'],
    },
    {
      act: async ({ accounts, email, turnOnFactor }) => {
        const { recoveryCodes } = await turnOnFactor();
        await accounts.logIn({ email, password, verificationCode: recoveryCodes[0] ?? '' }, caller);
      },
      rows: ['two_factor.enabled', 'two_factor.recovery_code_used'],
    },
  ],
  refresh: [
    { act: ({ accounts, refreshToken }) => accounts.refresh({ refreshToken }, caller), rows: [] },
    {
      act: async ({ accounts, clock, refreshToken }) => {
        await accounts.refresh({ refreshToken }, caller);
        clock.advance(10_001);
        await expectRefusal(accounts.refresh({ refreshToken }, caller));
      },
      rows: ['session.reuse_detected'],
      actor: 'system',
    },
  ],
  reauthenticate: writesNone(async ({ accounts, principal }) =>
    accounts.reauthenticate(await principal(), { password }, caller),
  ),
  requestPasswordReset: writesNone(({ accounts, email }) => accounts.requestPasswordReset({ email }, caller)),
  confirmPasswordReset: writesRow(
    'password.reset',
    async ({ accounts, codeTo, email }) =>
      accounts.confirmPasswordReset({ email, code: await codeTo(email), newPassword }, caller),
    ({ accounts, email }) => accounts.requestPasswordReset({ email }, caller),
  ),
  authenticate: writesNone(({ principal }) => principal()),
  authenticateCookie: writesNone(({ accounts }) => expectRefusal(accounts.authenticateCookie('value'))),
  issueAccessToken: writesNone(async ({ accounts, principal }) =>
    expectRefusal(accounts.issueAccessToken(await principal())),
  ),
  introspect: writesNone(({ accounts, token }) => accounts.introspect({ token })),
  authorizeApp: writesNone(async ({ accounts, principal }) =>
    expectRefusal(accounts.authorizeApp(await principal(), { returnTo: '', codeChallenge: '' }, caller)),
  ),
  redeemAuthorizationCode: writesNone(({ accounts }) =>
    expectRefusal(accounts.redeemAuthorizationCode({ code: '', codeVerifier: '', returnTo: '' }, caller)),
  ),
  showSecurity: writesNone(async ({ accounts, principal }) => accounts.showSecurity(await principal())),
  showProfile: writesNone(async ({ accounts, principal }) => accounts.showProfile(await principal())),
  updateProfile: writesNone(async ({ accounts, principal }) =>
    accounts.updateProfile(await principal(), { displayName: 'Ada' }),
  ),
  configureTwoFactor: [
    { act: ({ turnOnFactor }) => turnOnFactor(), rows: ['two_factor.enabled'] },
    {
      act: async ({ accounts, principal, turnOnFactor }) => {
        const { fresh } = await turnOnFactor();
        const off = { enable: false, verificationCode: fresh() };
        return accounts.configureTwoFactor(await principal(), off, caller);
      },
      rows: ['two_factor.enabled', 'two_factor.disabled'],
    },
  ],
  renewRecoveryCodes: [
    {
      act: async ({ accounts, principal, turnOnFactor }) => {
        const { fresh } = await turnOnFactor();
        return accounts.renewRecoveryCodes(await principal(), { verificationCode: fresh() }, caller);
      },
      rows: ['two_factor.enabled', 'two_factor.recovery_codes_made'],
    },
  ],
  changePassword: [
    {
      act: async ({ accounts, principal }) =>
        accounts.changePassword(await principal(), { currentPassword: password, newPassword }, caller),
      rows: ['password.changed'],
    },
    {
      first: ({ edit, id }) => edit(id, { passwordHash: null }),
      act: async ({ accounts, principal }) =>
        accounts.changePassword(await principal(), { newPassword }, caller),
      rows: ['password.set'],
    },
  ],
  listEntitlements: writesNone(async ({ accounts, principal }) =>
    accounts.listEntitlements(await principal()),
  ),
  setOwnEntitlement: writesRow('entitlement.changed', async ({ accounts, principal }) =>
    accounts.setOwnEntitlement(
      await principal(),
      { service: 'DROP', metadata: { seen: true } },
      false,
      caller,
    ),
  ),
  listUsers: writesNone(({ accounts }) => accounts.listUsers({})),
  userStats: writesNone(({ accounts }) => accounts.userStats()),
  setUserEntitlement: [
    { act: (context) => grant(context, 'pro'), rows: ['entitlement.changed'], actor: 'internal' },
    {
      first: (context) => grant(context, 'pro'),
      act: (context) => grant(context, 'pro'),
      rows: [],
    },
  ],
  checkConnection: writesNone(async ({ accounts, principal }) =>
    accounts.checkConnection(await principal(), { service: 'DROP' }),
  ),
  connect: writesRow(
    'service.connected',
    async ({ accounts, principal }) => accounts.connect(await principal(), { service: 'DROP' }, caller),
    (context) => grant(context, 'pro'),
  ),
  disconnect: writesNone(
    async ({ accounts, principal }) => accounts.disconnect(await principal(), { service: 'DROP' }, caller),
    (context) => grant(context, 'pro'),
  ),
  showAvatar: writesNone(async ({ accounts, principal }) =>
    expectRefusal(accounts.showAvatar(await principal())),
  ),
  beginAvatarUpload: writesNone(async ({ accounts, principal }) =>
    accounts.beginAvatarUpload(await principal(), 1)(),
  ),
  setAvatar: writesNone(async ({ accounts, principal }) =>
    accounts.setAvatar(await principal(), smallestPng, caller),
  ),
  removeAvatar: writesNone(
    async ({ accounts, principal }) => accounts.removeAvatar(await principal(), caller),
    async ({ accounts, principal }) => accounts.setAvatar(await principal(), smallestPng, caller),
  ),
  showCustomDomain: writesNone(
    async ({ accounts, principal }) => accounts.showCustomDomain(await principal()),
    (context) => grant(context, 'enterprise'),
  ),
  setCustomDomain: writesRow(
    'domain.claimed',
    async ({ accounts, principal }) =>
      accounts.setCustomDomain(await principal(), { domain: DOMAIN }, caller),
    (context) => grant(context, 'enterprise'),
  ),
  removeCustomDomain: writesRow(
    'domain.removed',
    async ({ accounts, principal }) => accounts.removeCustomDomain(await principal(), caller),
    claimDomain,
  ),
  verifyCustomDomain: writesRow(
    'domain.verified',
    async ({ accounts, principal }) => accounts.verifyCustomDomain(await principal(), caller),
    async (context) => {
      const { verification } = await claimDomain(context);
      context.dns.set(verification.name, verification.value);
    },
  ),
  listSessions: writesNone(async ({ accounts, principal }) => accounts.listSessions(await principal())),
  endSession: writesNone(async ({ accounts, principal }) => {
    const currentPrincipal = await principal();
    return accounts.endSession(currentPrincipal, currentPrincipal.session.id, caller);
  }),
  endOtherSessions: writesNone(async ({ accounts, principal }) =>
    accounts.endOtherSessions(await principal(), caller),
  ),
  logOut: writesNone(async ({ accounts, principal }) => accounts.logOut(await principal(), caller)),
  askEmailChange: writesRow('email.change_asked', async ({ accounts, principal }) =>
    accounts.askEmailChange(await principal(), { email: 'new@example.com' }, caller),
  ),
  confirmEmailChange: writesNone(async ({ accounts, principal }) =>
    expectRefusal(accounts.confirmEmailChange(await principal(), { code: '000000' }, caller)),
  ),
  cancelEmailChange: writesNone(async ({ accounts, principal }) =>
    accounts.cancelEmailChange(await principal()),
  ),
  undoEmailChange: writesNone(({ accounts, email }) =>
    expectRefusal(accounts.undoEmailChange({ email, code: 'AAAAAAAAAA' }, caller)),
  ),
  deleteAccount: [
    {
      act: async ({ accounts, principal }) => accounts.deleteAccount(await principal(), { password }, caller),
      rows: ['audit.erased', 'account.deleted'],
    },
  ],
  publicKeys: writesNone(({ accounts }) => accounts.publicKeys()),
  subscribers: [
    {
      act: ({ accounts, id }) =>
        accounts.subscribers.change(id, () => ({
          actor: 'provider',
          plan: 'pro',
          since: NOW,
          dueAt: null,
          state: { customers: [], subscriptions: [], granted: true, answered: null, triedAt: null },
        })),
      rows: ['billing.changed'],
      actor: 'provider',
    },
  ],
};

describe('The audit rows about a user', () => {
  testTable(TABLE, useAdminAccounts());
});
