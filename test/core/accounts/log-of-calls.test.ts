import { expect } from 'chai';
import type { Caller } from '../../../core/index.ts';
import type { Credential } from '../../support/passkeys/authenticator.ts';
import { person } from '../../support/scripted-providers.ts';
import { by } from './admin/open-operated.ts';
import { caller, codeOf, password } from './open-core.ts';
import { openWithPasskeys } from './open-with-passkeys.ts';
import { newHalf, tokenOf } from './providers/provider-flow.ts';
import { newPassword, pendingIn } from './use-people.ts';

const EMAIL = 'ada@example.com';
const WRONG = 'wrong horse battery';
const byRequest: Caller = { ...caller, address: '192.0.2.77', client: '192.0.2.77', requestId: 'request-7' };

/** A user who signed up, and everything that a case may do. */
const openGround = async () => {
  const policy = { wrongPasswordsADay: 3, wrongTotpInRow: 2, wrongCodesADay: 3 };
  const blocklist = { has: async (text: string, words: readonly string[]) => words.includes(text) };
  const opened = await openWithPasskeys(policy, { blocklist });
  const user = await opened.signUp(EMAIL);
  return { ...opened, ...user, user };
};
type Ground = Awaited<ReturnType<typeof openGround>>;
type App = Awaited<ReturnType<Ground['turnOnFactor']>>;

interface Case<Before> {
  /** Done before, so that its lines are not looked at. */
  readonly first?: (ground: Ground) => Promise<Before>;
  readonly act: (ground: Ground, before: Before) => Promise<unknown>;
  readonly lines: readonly string[];
}

/** A case, run: the lines that are expected, and those that were written. */
const logged =
  <Before>({ first, act, lines }: Case<Before>) =>
  async (ground: Ground) => {
    const before = await first?.(ground);
    const from = ground.lines.length;
    await act(ground, before as Before);
    const written = ground.lines.slice(from).filter(({ event }) => event !== 'mail.sent');
    return { lines, written: written.map((line) => shown(line, ground.id)) };
  };

/** A line for a table. All name the client and its request; those about nobody known, and of a session, say so. */
const shown = ({ level, event, fields }: Ground['lines'][number], id: string): string => {
  const { userId, address, requestId, sessionId, ...others } = fields;
  expect({ address, requestId }, event).to.deep.equal({ address: '192.0.2.77', requestId: 'request-7' });
  const about = userId === id ? [] : [userId === undefined ? 'of nobody' : 'of another'];
  const more = Object.entries(others).map(([name, value]) => `${name}=${value}`);
  return [level, event, ...more, ...(sessionId === undefined ? [] : ['with session']), ...about].join(' ');
};

const logIn = ({ accounts }: Ground, more: object = {}, email = EMAIL) =>
  accounts.logIn({ email, password, ...more }, byRequest);
const wrongCode = async (ground: Ground, app: App) =>
  codeOf(logIn(ground, { verificationCode: app.wrong() }));
const withFactor = ({ turnOnFactor, user }: Ground) => turnOnFactor(user);
const linkIdentity = async ({ providers, tripToLink, who }: Ground) =>
  providers.confirmLink(await who(), await tripToLink(await who()), caller);
const exchangeCode = async ({ providers, travel }: Ground) => {
  const { code, verifier } = await travel(person());
  return providers.exchange({ code, verifier }, byRequest);
};
const reset = ({ accounts }: Ground, code: string, email = EMAIL, next = newPassword) =>
  accounts.confirmPasswordReset({ email, code, newPassword: next }, byRequest);
const addPasskey = ({ add, user }: Ground) => add(user);
const logInByPasskey = async ({ passkeys, answer }: Ground, credential: Credential, behaviour = {}) =>
  codeOf(passkeys.logIn(answer(await passkeys.beginLogin(), credential, behaviour), byRequest));
const withPasskeyFactor = async ({ accounts, add, answer, passkeys, user, who }: Ground) => {
  const { credential } = await add(user);
  await passkeys.configureFactor(await who(), { enable: true }, caller);
  const passkey = answer(await passkeys.beginProof(await who()), credential);
  await accounts.reauthenticate(await who(), { passkey }, caller);
};
const askEmailChange = async ({ accounts, who }: Ground) =>
  accounts.askEmailChange(await who(), { email: 'new@example.com' }, caller);
const confirmChange = async ({ accounts, who }: Ground, code: string) =>
  codeOf(accounts.confirmEmailChange(await who(), { code }, byRequest));
const proveIdentity = async ({ accounts, who }: Ground, input: object) =>
  codeOf(accounts.reauthenticate(await who(), input, byRequest));
const times = async (count: number, call: () => Promise<unknown>) => {
  for (let time = 0; time < count; time += 1) await call();
};

const CASES = {
  'a sign-in': logged({ act: (ground) => logIn(ground), lines: ['info sign_in.succeeded factors=password'] }),
  'a wrong password': logged({
    act: (ground) => codeOf(logIn(ground, { password: WRONG })),
    lines: ['info sign_in.failed reason=wrong_credentials factors=password'],
  }),
  'an unknown email': logged({
    act: (ground) => codeOf(logIn(ground, {}, 'nobody@example.com')),
    lines: ['info sign_in.failed reason=wrong_credentials factors=password of nobody'],
  }),
  'wrong passwords over the limit': logged({
    first: (ground) => times(3, () => codeOf(logIn(ground, { password: WRONG }))),
    act: (ground) => codeOf(logIn(ground)),
    lines: ['warn sign_in.held'],
  }),
  'a sign-in before the email is verified': logged({
    first: ({ id, edit }) => edit(id, { verified: false }),
    act: (ground) => codeOf(logIn(ground)),
    lines: ['info sign_in.failed reason=email_not_verified factors=password'],
  }),
  'a sign-in where a second factor is on': logged({
    first: withFactor,
    act: (ground) => logIn(ground),
    lines: ['info sign_in.challenged factors=password'],
  }),
  'a pending token that is wrong': logged({
    act: (ground) =>
      codeOf(logIn(ground, { password: undefined, pendingToken: 'x', verificationCode: '123456' })),
    lines: ['info sign_in.failed reason=wrong_credentials factors=password'],
  }),
  'the second step after a password': logged({
    first: withFactor,
    act: (ground, app) => logIn(ground, { verificationCode: app.fresh() }),
    lines: ['info sign_in.succeeded factors=password,totp'],
  }),
  'the second step after a provider': logged({
    first: async (ground) => {
      await linkIdentity(ground);
      const app = await withFactor(ground);
      return { verificationCode: app.recoveryCodes[0], pendingToken: pendingIn(await ground.signIn()) };
    },
    act: (ground, step) => logIn(ground, { password: undefined, ...Object(step) }),
    lines: ['info sign_in.succeeded factors=oidc,recovery'],
  }),
  'a wrong two-factor code': logged({
    first: withFactor,
    act: wrongCode,
    lines: ['info two_factor.failed'],
  }),
  'a two-factor code while they are held': logged({
    first: async (ground) => {
      const app = await withFactor(ground);
      await times(2, () => wrongCode(ground, app));
      return app;
    },
    act: wrongCode,
    lines: ['warn two_factor.held'],
  }),
  'a sign-in with a provider': logged({
    first: linkIdentity,
    act: exchangeCode,
    lines: ['info sign_in.succeeded factors=oidc'],
  }),
  'a sign-in with a provider where a second factor is on': logged({
    first: async (ground) => {
      await linkIdentity(ground);
      await withFactor(ground);
    },
    act: exchangeCode,
    lines: ['info sign_in.challenged factors=oidc'],
  }),
  'a code of no flow': logged({
    act: ({ providers }) =>
      codeOf(providers.exchange({ code: 'x', verifier: newHalf().verifier }, byRequest)),
    lines: ['info sign_in.failed reason=invalid_flow factors=oidc of nobody'],
  }),
  'a sign-in with a passkey': logged({
    first: async (ground) => (await addPasskey(ground)).credential,
    act: logInByPasskey,
    lines: ['info sign_in.succeeded factors=passkey'],
  }),
  'a sign-in with a passkey that did not ask for a PIN': logged({
    first: async (ground) => (await addPasskey(ground)).credential,
    act: (ground, credential) => logInByPasskey(ground, credential, { userVerified: false }),
    lines: [
      'info passkey.failed reason=not_user_verified',
      'info sign_in.failed reason=invalid_passkey factors=passkey of nobody',
    ],
  }),
  'a passkey that was added and removed': logged({
    act: async ({ add, passkeys, user, who }) => {
      const { id } = await add(user, {}, byRequest);
      await passkeys.remove(await who(), id, byRequest);
    },
    lines: ['info passkey.added', 'info passkey.removed'],
  }),
  'a challenge to passkeys by a wrong pending token': logged({
    act: ({ passkeys }) => codeOf(passkeys.beginSecond({ email: EMAIL, pendingToken: 'x' }, byRequest)),
    lines: ['info sign_in.failed reason=wrong_credentials of nobody'],
  }),
  'a proof': logged({
    act: (ground) => proveIdentity(ground, { password }),
    lines: ['info proof.succeeded factors=password'],
  }),
  'a proof by a wrong password': logged({
    act: (ground) => proveIdentity(ground, { password: WRONG }),
    lines: ['info password.wrong', 'info proof.failed factors=password'],
  }),
  'a proof by a code of no flow': logged({
    act: (ground) => proveIdentity(ground, { code: 'x', verifier: newHalf().verifier }),
    lines: ['info proof.failed factors=oidc'],
  }),
  'a proof by a passkey of no challenge': logged({
    act: (ground) => proveIdentity(ground, { passkey: { flow: 'x', credential: {} } }),
    lines: ['info passkey.failed reason=invalid_flow', 'info proof.failed factors=passkey'],
  }),
  'a call that needs a proof': logged({
    first: async ({ clock, who }) => {
      clock.advance(601_000);
      return who();
    },
    act: ({ passkeys }, principal) => codeOf(passkeys.begin(principal, byRequest)),
    lines: ['info access.refused reason=fresh_authentication_needed'],
  }),
  'a call of a banned user': logged({
    first: ({ id, operate }) => operate.ban(id, { reason: 'odd', until: null }, by()),
    act: async (ground) => {
      const answer = await logIn(ground);
      await codeOf(ground.accounts.authenticate(tokenOf(answer), undefined, byRequest));
    },
    lines: ['info sign_in.succeeded factors=password', 'info access.refused reason=account_banned'],
  }),
  'a password that was reset': logged({
    first: async ({ accounts, codeTo }) => {
      await accounts.requestPasswordReset({ email: EMAIL }, caller);
      return codeTo(EMAIL);
    },
    act: (ground, code) => reset(ground, code),
    lines: ['info password.reset'],
  }),
  'a wrong code of a reset': logged({
    act: (ground) => codeOf(reset(ground, 'AAAAA-AAAAA')),
    lines: ['info password.reset_failed'],
  }),
  'a code of a reset for an email of nobody': logged({
    act: (ground) => codeOf(reset(ground, 'AAAAA-AAAAA', 'nobody@example.com')),
    lines: ['info password.reset_failed of nobody'],
  }),
  'a reset to a password that is too common for this user': logged({
    first: async ({ accounts, codeTo, edit, id }) => {
      await edit(id, { displayName: 'Grace Brewster Hopper' });
      await accounts.requestPasswordReset({ email: EMAIL }, caller);
      return codeTo(EMAIL);
    },
    act: async (ground, code) =>
      expect(await codeOf(reset(ground, code, EMAIL, 'Grace Brewster Hopper'))).to.equal(
        'password_too_common',
      ),
    lines: [],
  }),
  'a change of the email': logged({
    first: async (ground) => {
      await askEmailChange(ground);
      return ground.codeTo('new@example.com');
    },
    act: (ground, code) => confirmChange(ground, code),
    lines: ['info email.changed'],
  }),
  'wrong codes of a change of the email, up to the limit': logged({
    first: askEmailChange,
    act: (ground) => times(4, () => confirmChange(ground, 'AAAAA-AAAAA')),
    lines: [...Array(3).fill('info email.change_failed reason=invalid_code'), 'warn verification.held'],
  }),
  'a change to an email that is taken by then, which is no wrong code': logged({
    first: async (ground) => {
      await askEmailChange(ground);
      const code = await ground.codeTo('new@example.com');
      await ground.signUp('new@example.com');
      return code;
    },
    act: async (ground, code) => expect(await confirmChange(ground, code)).to.equal('email_taken'),
    lines: [],
  }),
  'codes of the verification of an email': logged({
    first: async ({ accounts, codeTo }) => {
      await accounts.register({ email: 'eve@example.com', password }, caller);
      return codeTo('eve@example.com');
    },
    act: async ({ accounts }, code) => {
      const email = 'eve@example.com';
      for (const typed of [code === '000000' ? '000001' : '000000', code])
        await codeOf(accounts.verifyEmail({ email, code: typed }, byRequest));
      await codeOf(accounts.verifyEmail({ email: 'nobody@example.com', code }, byRequest));
      await accounts.resendVerification({ email: 'nobody@example.com' }, byRequest);
    },
    lines: [
      'info verification.failed reason=invalid_code of another',
      'info email.verified factors=code of another',
      'info verification.failed reason=invalid_code of nobody',
      'info verification.asked of nobody',
    ],
  }),
  'what is done by mail': logged({
    act: async (ground) => {
      const { accounts, codeTo, who } = ground;
      await accounts.requestPasswordReset({ email: 'nobody@example.com' }, byRequest);
      await accounts.requestPasswordReset({ email: EMAIL }, byRequest);
      await accounts.askEmailChange(await who(), { email: 'new@example.com' }, byRequest);
      await confirmChange(ground, await codeTo('new@example.com'));
      for (const code of ['AAAAA-AAAAA', await codeTo(EMAIL)])
        await codeOf(accounts.undoEmailChange({ email: EMAIL, code }, byRequest));
    },
    lines: [
      'info password.reset_asked of nobody',
      'info password.reset_asked',
      'info email.change_asked',
      'info email.changed',
      'info email.undo_failed reason=invalid_code of nobody',
      'info email.change_undone',
    ],
  }),
  'what is done with sessions': logged({
    act: async (ground) => {
      const { accounts, who } = ground;
      await logIn(ground);
      const { sessions } = await accounts.listSessions(await who());
      const other = sessions.find(({ current }) => !current)?.id ?? '';
      await accounts.endSession(await who(), other, byRequest);
      await logIn(ground);
      await accounts.endOtherSessions(await who(), byRequest);
      await accounts.logOut(await who(), byRequest);
    },
    lines: [
      'info sign_in.succeeded factors=password',
      'info session.ended with session',
      'info sign_in.succeeded factors=password',
      'info session.others_ended count=1',
      'info session.logged_out with session',
    ],
  }),
  'what is done with the sign-in methods': logged({
    act: async (ground) => {
      const { accounts, providers, add, passkeys, tripToLink, who } = ground;
      await providers.confirmLink(await who(), await tripToLink(await who()), byRequest);
      const name = { provider: 'example', providerAccountId: 'subject-1' };
      await providers.unlink(await who(), name, byRequest);
      await add(ground.user, {}, byRequest);
      const on = await passkeys.configureFactor(await who(), { enable: true }, byRequest);
      const [verificationCode = ''] = on.recoveryCodes ?? [];
      await codeOf(accounts.renewRecoveryCodes(await who(), { verificationCode: 'x' }, byRequest));
      const renewed = await accounts.renewRecoveryCodes(await who(), { verificationCode }, byRequest);
      await codeOf(passkeys.configureFactor(await who(), { enable: false }, byRequest));
      const off = { enable: false, verificationCode: renewed.recoveryCodes[0] ?? '' };
      await accounts.configureTwoFactor(await who(), off, byRequest);
      const change = { currentPassword: WRONG, newPassword };
      await codeOf(accounts.changePassword(await who(), change, byRequest));
      await accounts.changePassword(await who(), { ...change, currentPassword: password }, byRequest);
    },
    lines: [
      'info identity.linked',
      'info identity.unlinked',
      'info passkey.added',
      'info two_factor.on',
      'info two_factor.failed',
      'info two_factor.recovery_codes_made',
      'info access.refused reason=fresh_authentication_needed',
      'info two_factor.off',
      'info password.wrong',
      'info password.changed',
    ],
  }),
  'passkeys that are switched off as the second factor, alone': logged({
    first: (ground) => withPasskeyFactor(ground),
    act: async ({ passkeys, who }) => passkeys.configureFactor(await who(), { enable: false }, byRequest),
    lines: ['info two_factor.off'],
  }),
  'passkeys that are switched off beside an app, which stays the second factor': logged({
    first: async (ground) => {
      await withPasskeyFactor(ground);
      await ground.turnOnFactor(ground.user);
    },
    act: async ({ passkeys, who }) => passkeys.configureFactor(await who(), { enable: false }, byRequest),
    lines: [],
  }),
  'the deletion of the account': logged({
    act: async ({ accounts, who }) => {
      await codeOf(accounts.deleteAccount(await who(), { password: WRONG }, byRequest));
      await accounts.deleteAccount(await who(), { password }, byRequest);
    },
    lines: ['info password.wrong', 'info account.deleted'],
  }),
  'a refresh token that was used': logged({
    act: async ({ accounts, clock, refreshToken }) => {
      await accounts.refresh({ refreshToken }, byRequest);
      clock.advance(3_600_000);
      await codeOf(accounts.refresh({ refreshToken }, byRequest));
    },
    lines: [
      'info session.refreshed with session',
      'warn session.stolen with session',
      'info session.refresh_failed with session',
    ],
  }),
};

describe('The log of a call', () => {
  for (const [name, run] of Object.entries(CASES))
    it(`names client, request, user and factors, and the reason, of ${name}`, async () => {
      const { lines, written } = await run(await openGround());
      expect(written).to.deep.equal(lines);
    });
});
