import { expect } from 'chai';
import type { Caller } from '../../../core/index.ts';
import type { Credential } from '../../support/passkeys/authenticator.ts';
import { providerIdentity } from '../../support/scripted-providers.ts';
import { by } from './admin/open-admin-accounts.ts';
import { newPassword, pendingTokenIn } from './open-accounts.ts';
import { caller, codeOf, password } from './open-core.ts';
import { openWithPasskeys } from './open-with-passkeys.ts';
import { newPkce, tokenOf } from './providers/provider-flow.ts';

const EMAIL = 'ada@example.com';
const WRONG = 'wrong horse battery';
const byRequest: Caller = { ...caller, address: '192.0.2.77', client: '192.0.2.77', requestId: 'request-7' };

/** A signed-up user, and the calls that cases use. */
const openContext = async () => {
  const policy = { wrongPasswordsADay: 3, wrongTotpInRow: 2, wrongCodesADay: 3 };
  const blocklist = { has: async (text: string, words: readonly string[]) => words.includes(text) };
  const core = await openWithPasskeys(policy, { blocklist });
  const user = await core.signUp(EMAIL);
  return { ...core, ...user, user };
};
type Context = Awaited<ReturnType<typeof openContext>>;
type App = Awaited<ReturnType<Context['turnOnFactor']>>;

interface Case<Before> {
  /** Preparation, whose lines are not compared. */
  readonly first?: (context: Context) => Promise<Before>;
  readonly act: (context: Context, before: Before) => Promise<unknown>;
  readonly lines: readonly string[];
}

/** Runs a case, and returns the expected and the written lines. */
const runCase =
  <Before>({ first, act, lines }: Case<Before>) =>
  async (context: Context) => {
    const before = await first?.(context);
    const from = context.lines.length;
    await act(context, before as Before);
    const written = context.lines.slice(from).filter(({ event }) => event !== 'mail.sent');
    return { lines, written: written.map((line) => formatLine(line, context.id)) };
  };

/** Formats a line. Checks its address and request, and marks lines of a session or without the user. */
const formatLine = ({ level, event, fields }: Context['lines'][number], id: string): string => {
  const { userId, address, requestId, sessionId, ...others } = fields;
  expect({ address, requestId }, event).to.deep.equal({ address: '192.0.2.77', requestId: 'request-7' });
  const about = userId === id ? [] : [userId === undefined ? 'of nobody' : 'of another'];
  const more = Object.entries(others).map(([name, value]) => `${name}=${value}`);
  return [level, event, ...more, ...(sessionId === undefined ? [] : ['with session']), ...about].join(' ');
};

const logIn = ({ accounts }: Context, more: object = {}, email = EMAIL) =>
  accounts.logIn({ email, password, ...more }, byRequest);
const wrongCode = async (context: Context, app: App) =>
  codeOf(logIn(context, { verificationCode: app.wrong() }));
const withFactor = ({ turnOnFactor, user }: Context) => turnOnFactor(user);
const linkIdentity = async ({ providers, linkFlow, principal }: Context) =>
  providers.confirmLink(await principal(), await linkFlow(await principal()), caller);
const exchangeCode = async ({ providers, runFlow }: Context) => {
  const { code, verifier } = await runFlow(providerIdentity());
  return providers.exchange({ code, verifier }, byRequest);
};
const reset = ({ accounts }: Context, code: string, email = EMAIL, next = newPassword) =>
  accounts.confirmPasswordReset({ email, code, newPassword: next }, byRequest);
const addPasskey = ({ add, user }: Context) => add(user);
const logInByPasskey = async ({ passkeys, answer }: Context, credential: Credential, behaviour = {}) =>
  codeOf(passkeys.logIn(answer(await passkeys.beginLogin(), credential, behaviour), byRequest));
const withPasskeyFactor = async ({ accounts, add, answer, passkeys, user, principal }: Context) => {
  const { credential } = await add(user);
  await passkeys.configureFactor(await principal(), { enable: true }, caller);
  const passkey = answer(await passkeys.beginProof(await principal()), credential);
  await accounts.reauthenticate(await principal(), { passkey }, caller);
};
const askEmailChange = async ({ accounts, principal }: Context) =>
  accounts.askEmailChange(await principal(), { email: 'new@example.com' }, caller);
const confirmChange = async ({ accounts, principal }: Context, code: string) =>
  codeOf(accounts.confirmEmailChange(await principal(), { code }, byRequest));
const proveIdentity = async ({ accounts, principal }: Context, input: object) =>
  codeOf(accounts.reauthenticate(await principal(), input, byRequest));
const times = async (count: number, call: () => Promise<unknown>) => {
  for (let time = 0; time < count; time += 1) await call();
};

const CASES = {
  'a sign-in': runCase({
    act: (context) => logIn(context),
    lines: ['info sign_in.succeeded factors=password'],
  }),
  'a wrong password': runCase({
    act: (context) => codeOf(logIn(context, { password: WRONG })),
    lines: ['info sign_in.failed reason=wrong_credentials factors=password'],
  }),
  'an unknown email': runCase({
    act: (context) => codeOf(logIn(context, {}, 'nobody@example.com')),
    lines: ['info sign_in.failed reason=wrong_credentials factors=password of nobody'],
  }),
  'wrong passwords over the limit': runCase({
    first: (context) => times(3, () => codeOf(logIn(context, { password: WRONG }))),
    act: (context) => codeOf(logIn(context)),
    lines: ['warn sign_in.held'],
  }),
  'a sign-in before the email is verified': runCase({
    first: ({ id, edit }) => edit(id, { verified: false }),
    act: (context) => codeOf(logIn(context)),
    lines: ['info sign_in.failed reason=email_not_verified factors=password'],
  }),
  'a sign-in while a second factor is on': runCase({
    first: withFactor,
    act: (context) => logIn(context),
    lines: ['info sign_in.challenged factors=password'],
  }),
  'a wrong pending token': runCase({
    act: (context) =>
      codeOf(logIn(context, { password: undefined, pendingToken: 'x', verificationCode: '123456' })),
    lines: ['info sign_in.failed reason=wrong_credentials factors=password'],
  }),
  'the second step after a password': runCase({
    first: withFactor,
    act: (context, app) => logIn(context, { verificationCode: app.fresh() }),
    lines: ['info sign_in.succeeded factors=password,totp'],
  }),
  'the second step after a provider': runCase({
    first: async (context) => {
      await linkIdentity(context);
      const app = await withFactor(context);
      return { verificationCode: app.recoveryCodes[0], pendingToken: pendingTokenIn(await context.signIn()) };
    },
    act: (context, step) => logIn(context, { password: undefined, ...Object(step) }),
    lines: ['info sign_in.succeeded factors=oidc,recovery'],
  }),
  'a wrong two-factor code': runCase({
    first: withFactor,
    act: wrongCode,
    lines: ['info two_factor.failed'],
  }),
  'a two-factor code during the lockout': runCase({
    first: async (context) => {
      const app = await withFactor(context);
      await times(2, () => wrongCode(context, app));
      return app;
    },
    act: wrongCode,
    lines: ['warn two_factor.held'],
  }),
  'a sign-in with a provider': runCase({
    first: linkIdentity,
    act: exchangeCode,
    lines: ['info sign_in.succeeded factors=oidc'],
  }),
  'a sign-in with a provider while a second factor is on': runCase({
    first: async (context) => {
      await linkIdentity(context);
      await withFactor(context);
    },
    act: exchangeCode,
    lines: ['info sign_in.challenged factors=oidc'],
  }),
  'an unknown flow code': runCase({
    act: ({ providers }) =>
      codeOf(providers.exchange({ code: 'x', verifier: newPkce().verifier }, byRequest)),
    lines: ['info sign_in.failed reason=invalid_flow factors=oidc of nobody'],
  }),
  'a sign-in with a passkey': runCase({
    first: async (context) => (await addPasskey(context)).credential,
    act: logInByPasskey,
    lines: ['info sign_in.succeeded factors=passkey'],
  }),
  'a sign-in with a passkey without user verification': runCase({
    first: async (context) => (await addPasskey(context)).credential,
    act: (context, credential) => logInByPasskey(context, credential, { userVerified: false }),
    lines: [
      'info passkey.failed reason=not_user_verified',
      'info sign_in.failed reason=invalid_passkey factors=passkey of nobody',
    ],
  }),
  'adding and removing a passkey': runCase({
    act: async ({ add, passkeys, user, principal }) => {
      const { id } = await add(user, {}, byRequest);
      await passkeys.remove(await principal(), id, byRequest);
    },
    lines: ['info passkey.added', 'info passkey.removed'],
  }),
  'a passkey challenge with a wrong pending token': runCase({
    act: ({ passkeys }) => codeOf(passkeys.beginSecond({ email: EMAIL, pendingToken: 'x' }, byRequest)),
    lines: ['info sign_in.failed reason=wrong_credentials of nobody'],
  }),
  'a proof': runCase({
    act: (context) => proveIdentity(context, { password }),
    lines: ['info proof.succeeded factors=password'],
  }),
  'a proof by a wrong password': runCase({
    act: (context) => proveIdentity(context, { password: WRONG }),
    lines: ['info password.wrong', 'info proof.failed factors=password'],
  }),
  'a proof by an unknown flow code': runCase({
    act: (context) => proveIdentity(context, { code: 'x', verifier: newPkce().verifier }),
    lines: ['info proof.failed factors=oidc'],
  }),
  'a proof by a passkey without a challenge': runCase({
    act: (context) => proveIdentity(context, { passkey: { flow: 'x', credential: {} } }),
    lines: ['info passkey.failed reason=invalid_flow', 'info proof.failed factors=passkey'],
  }),
  'a call that needs a fresh authentication': runCase({
    first: async ({ clock, principal }) => {
      clock.advance(601_000);
      return principal();
    },
    act: ({ passkeys }, principal) => codeOf(passkeys.begin(principal, byRequest)),
    lines: ['info access.refused reason=fresh_authentication_needed'],
  }),
  'a call of a banned user': runCase({
    first: ({ id, operate }) => operate.ban(id, { reason: 'odd', until: null }, by()),
    act: async (context) => {
      const answer = await logIn(context);
      await codeOf(context.accounts.authenticate(tokenOf(answer), undefined, byRequest));
    },
    lines: ['info sign_in.succeeded factors=password', 'info access.refused reason=account_banned'],
  }),
  'a password reset': runCase({
    first: async ({ accounts, codeTo }) => {
      await accounts.requestPasswordReset({ email: EMAIL }, caller);
      return codeTo(EMAIL);
    },
    act: (context, code) => reset(context, code),
    lines: ['info password.reset'],
  }),
  'a wrong reset code': runCase({
    act: (context) => codeOf(reset(context, 'AAAAA-AAAAA')),
    lines: ['info password.reset_failed'],
  }),
  'a reset code for an unknown email': runCase({
    act: (context) => codeOf(reset(context, 'AAAAA-AAAAA', 'nobody@example.com')),
    lines: ['info password.reset_failed of nobody'],
  }),
  'a reset to a password that is too common for the user': runCase({
    first: async ({ accounts, codeTo, edit, id }) => {
      await edit(id, { displayName: 'Grace Brewster Hopper' });
      await accounts.requestPasswordReset({ email: EMAIL }, caller);
      return codeTo(EMAIL);
    },
    act: async (context, code) =>
      expect(await codeOf(reset(context, code, EMAIL, 'Grace Brewster Hopper'))).to.equal(
        'password_too_common',
      ),
    lines: [],
  }),
  'an email change': runCase({
    first: async (context) => {
      await askEmailChange(context);
      return context.codeTo('new@example.com');
    },
    act: (context, code) => confirmChange(context, code),
    lines: ['info email.changed'],
  }),
  'wrong codes of an email change up to the limit': runCase({
    first: askEmailChange,
    act: (context) => times(4, () => confirmChange(context, 'AAAAA-AAAAA')),
    lines: [...Array(3).fill('info email.change_failed reason=invalid_code'), 'warn verification.held'],
  }),
  'a change to an email that was taken meanwhile, not counted as a wrong code': runCase({
    first: async (context) => {
      await askEmailChange(context);
      const code = await context.codeTo('new@example.com');
      await context.signUp('new@example.com');
      return code;
    },
    act: async (context, code) => expect(await confirmChange(context, code)).to.equal('email_taken'),
    lines: [],
  }),
  'an email verification': runCase({
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
  'requests that send mail': runCase({
    act: async (context) => {
      const { accounts, codeTo, principal } = context;
      await accounts.requestPasswordReset({ email: 'nobody@example.com' }, byRequest);
      await accounts.requestPasswordReset({ email: EMAIL }, byRequest);
      await accounts.askEmailChange(await principal(), { email: 'new@example.com' }, byRequest);
      await confirmChange(context, await codeTo('new@example.com'));
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
  'session changes': runCase({
    act: async (context) => {
      const { accounts, principal } = context;
      await logIn(context);
      const { sessions } = await accounts.listSessions(await principal());
      const other = sessions.find(({ current }) => !current)?.id ?? '';
      await accounts.endSession(await principal(), other, byRequest);
      await logIn(context);
      await accounts.endOtherSessions(await principal(), byRequest);
      await accounts.logOut(await principal(), byRequest);
    },
    lines: [
      'info sign_in.succeeded factors=password',
      'info session.ended with session',
      'info sign_in.succeeded factors=password',
      'info session.others_ended count=1',
      'info session.logged_out with session',
    ],
  }),
  'changes of sign-in methods': runCase({
    act: async (context) => {
      const { accounts, providers, add, passkeys, linkFlow, principal } = context;
      await providers.confirmLink(await principal(), await linkFlow(await principal()), byRequest);
      const name = { provider: 'example', providerAccountId: 'subject-1' };
      await providers.unlink(await principal(), name, byRequest);
      await add(context.user, {}, byRequest);
      const on = await passkeys.configureFactor(await principal(), { enable: true }, byRequest);
      const [verificationCode = ''] = on.recoveryCodes ?? [];
      await codeOf(accounts.renewRecoveryCodes(await principal(), { verificationCode: 'x' }, byRequest));
      const renewed = await accounts.renewRecoveryCodes(await principal(), { verificationCode }, byRequest);
      await codeOf(passkeys.configureFactor(await principal(), { enable: false }, byRequest));
      const off = { enable: false, verificationCode: renewed.recoveryCodes[0] ?? '' };
      await accounts.configureTwoFactor(await principal(), off, byRequest);
      const change = { currentPassword: WRONG, newPassword };
      await codeOf(accounts.changePassword(await principal(), change, byRequest));
      await accounts.changePassword(await principal(), { ...change, currentPassword: password }, byRequest);
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
  'turning off passkeys as the only second factor': runCase({
    first: (context) => withPasskeyFactor(context),
    act: async ({ passkeys, principal }) =>
      passkeys.configureFactor(await principal(), { enable: false }, byRequest),
    lines: ['info two_factor.off'],
  }),
  'turning off passkeys while an app stays the second factor': runCase({
    first: async (context) => {
      await withPasskeyFactor(context);
      await context.turnOnFactor(context.user);
    },
    act: async ({ passkeys, principal }) =>
      passkeys.configureFactor(await principal(), { enable: false }, byRequest),
    lines: [],
  }),
  'the deletion of the account': runCase({
    act: async ({ accounts, principal }) => {
      await codeOf(accounts.deleteAccount(await principal(), { password: WRONG }, byRequest));
      await accounts.deleteAccount(await principal(), { password }, byRequest);
    },
    lines: ['info password.wrong', 'info account.deleted'],
  }),
  'a second use of a refresh token': runCase({
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

describe('The log lines of a call', () => {
  for (const [name, run] of Object.entries(CASES))
    it(`name address, request, user, factors and reason for ${name}`, async () => {
      const { lines, written } = await run(await openContext());
      expect(written).to.deep.equal(lines);
    });
});
