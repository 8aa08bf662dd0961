import { expect } from 'chai';
import type { Accounts } from '../../../core/index.ts';
import { NOW } from '../../contracts/samples.ts';
import { picture } from '../../servers/accounts/profile/avatars.ts';
import { useOperated } from './admin/open-operated.ts';
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
  return context.accounts.setCustomDomain(await context.who(), { domain: DOMAIN }, caller);
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
  reauthenticate: writesNone(async ({ accounts, who }) =>
    accounts.reauthenticate(await who(), { password }, caller),
  ),
  requestPasswordReset: writesNone(({ accounts, email }) => accounts.requestPasswordReset({ email }, caller)),
  confirmPasswordReset: writesRow(
    'password.reset',
    async ({ accounts, codeTo, email }) =>
      accounts.confirmPasswordReset({ email, code: await codeTo(email), newPassword }, caller),
    ({ accounts, email }) => accounts.requestPasswordReset({ email }, caller),
  ),
  authenticate: writesNone(({ who }) => who()),
  authenticateCookie: writesNone(({ accounts }) => expectRefusal(accounts.authenticateCookie('value'))),
  issueAccessToken: writesNone(async ({ accounts, who }) =>
    expectRefusal(accounts.issueAccessToken(await who())),
  ),
  introspect: writesNone(({ accounts, token }) => accounts.introspect({ token })),
  authorizeApp: writesNone(async ({ accounts, who }) =>
    expectRefusal(accounts.authorizeApp(await who(), { returnTo: '', codeChallenge: '' }, caller)),
  ),
  redeemAuthorizationCode: writesNone(({ accounts }) =>
    expectRefusal(accounts.redeemAuthorizationCode({ code: '', codeVerifier: '', returnTo: '' }, caller)),
  ),
  showSecurity: writesNone(async ({ accounts, who }) => accounts.showSecurity(await who())),
  showProfile: writesNone(async ({ accounts, who }) => accounts.showProfile(await who())),
  updateProfile: writesNone(async ({ accounts, who }) =>
    accounts.updateProfile(await who(), { displayName: 'Ada' }),
  ),
  configureTwoFactor: [
    { act: ({ turnOnFactor }) => turnOnFactor(), rows: ['two_factor.enabled'] },
    {
      act: async ({ accounts, who, turnOnFactor }) => {
        const { fresh } = await turnOnFactor();
        const off = { enable: false, verificationCode: fresh() };
        return accounts.configureTwoFactor(await who(), off, caller);
      },
      rows: ['two_factor.enabled', 'two_factor.disabled'],
    },
  ],
  renewRecoveryCodes: [
    {
      act: async ({ accounts, who, turnOnFactor }) => {
        const { fresh } = await turnOnFactor();
        return accounts.renewRecoveryCodes(await who(), { verificationCode: fresh() }, caller);
      },
      rows: ['two_factor.enabled', 'two_factor.recovery_codes_made'],
    },
  ],
  changePassword: [
    {
      act: async ({ accounts, who }) =>
        accounts.changePassword(await who(), { currentPassword: password, newPassword }, caller),
      rows: ['password.changed'],
    },
    {
      first: ({ edit, id }) => edit(id, { passwordHash: null }),
      act: async ({ accounts, who }) => accounts.changePassword(await who(), { newPassword }, caller),
      rows: ['password.set'],
    },
  ],
  listEntitlements: writesNone(async ({ accounts, who }) => accounts.listEntitlements(await who())),
  setOwnEntitlement: writesRow('entitlement.changed', async ({ accounts, who }) =>
    accounts.setOwnEntitlement(await who(), { service: 'DROP', metadata: { seen: true } }, false, caller),
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
  checkConnection: writesNone(async ({ accounts, who }) =>
    accounts.checkConnection(await who(), { service: 'DROP' }),
  ),
  connect: writesRow(
    'service.connected',
    async ({ accounts, who }) => accounts.connect(await who(), { service: 'DROP' }, caller),
    (context) => grant(context, 'pro'),
  ),
  disconnect: writesNone(
    async ({ accounts, who }) => accounts.disconnect(await who(), { service: 'DROP' }, caller),
    (context) => grant(context, 'pro'),
  ),
  showAvatar: writesNone(async ({ accounts, who }) => expectRefusal(accounts.showAvatar(await who()))),
  beginAvatarUpload: writesNone(async ({ accounts, who }) => accounts.beginAvatarUpload(await who(), 1)()),
  setAvatar: writesNone(async ({ accounts, who }) => accounts.setAvatar(await who(), picture, caller)),
  removeAvatar: writesNone(
    async ({ accounts, who }) => accounts.removeAvatar(await who(), caller),
    async ({ accounts, who }) => accounts.setAvatar(await who(), picture, caller),
  ),
  showCustomDomain: writesNone(
    async ({ accounts, who }) => accounts.showCustomDomain(await who()),
    (context) => grant(context, 'enterprise'),
  ),
  setCustomDomain: writesRow(
    'domain.claimed',
    async ({ accounts, who }) => accounts.setCustomDomain(await who(), { domain: DOMAIN }, caller),
    (context) => grant(context, 'enterprise'),
  ),
  removeCustomDomain: writesRow(
    'domain.removed',
    async ({ accounts, who }) => accounts.removeCustomDomain(await who(), caller),
    claimDomain,
  ),
  verifyCustomDomain: writesRow(
    'domain.verified',
    async ({ accounts, who }) => accounts.verifyCustomDomain(await who(), caller),
    async (context) => {
      const { verification } = await claimDomain(context);
      context.dns.set(verification.name, verification.value);
    },
  ),
  listSessions: writesNone(async ({ accounts, who }) => accounts.listSessions(await who())),
  endSession: writesNone(async ({ accounts, who }) => {
    const principal = await who();
    return accounts.endSession(principal, principal.session.id, caller);
  }),
  endOtherSessions: writesNone(async ({ accounts, who }) => accounts.endOtherSessions(await who(), caller)),
  logOut: writesNone(async ({ accounts, who }) => accounts.logOut(await who(), caller)),
  askEmailChange: writesRow('email.change_asked', async ({ accounts, who }) =>
    accounts.askEmailChange(await who(), { email: 'new@example.com' }, caller),
  ),
  confirmEmailChange: writesNone(async ({ accounts, who }) =>
    expectRefusal(accounts.confirmEmailChange(await who(), { code: '000000' }, caller)),
  ),
  cancelEmailChange: writesNone(async ({ accounts, who }) => accounts.cancelEmailChange(await who())),
  undoEmailChange: writesNone(({ accounts, email }) =>
    expectRefusal(accounts.undoEmailChange({ email, code: 'AAAAAAAAAA' }, caller)),
  ),
  deleteAccount: [
    {
      act: async ({ accounts, who }) => accounts.deleteAccount(await who(), { password }, caller),
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
  testTable(TABLE, useOperated());
});
