import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { type AccountsContext, callerAt, newPassword, tokensIn, useAccounts } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

describe('A password change', () => {
  const core = useAccounts();
  const change = async (token: string, differences: object = {}, by = caller) => {
    const { accounts } = core();
    const input = { currentPassword: password, newPassword, ...differences };
    return tokensIn(await accounts.changePassword(await accounts.authenticate(token), input, by));
  };
  const refresh = (refreshToken: string) => core().accounts.refresh({ refreshToken }, caller);
  const areActive = (...tokens: readonly string[]) =>
    Promise.all(tokens.map((token) => core().isActive(token)));

  it('ends other sessions and earlier tokens, and issues new tokens for the caller’s session', async () => {
    const { accounts, logIn, mailsTo, signUp } = core();
    const user = await signUp();
    const other = tokensIn(await logIn(user.email));
    const refreshed = await refresh(user.refreshToken);
    const sessionId = async (token: string) => (await accounts.authenticate(token)).session.id;
    const before = await sessionId(user.token);
    const changed = await change(refreshed.token);
    expect(await sessionId(changed.token)).to.equal(before);
    expect(await areActive(user.token, refreshed.token, other.token, changed.token)).to.deep.equal([
      false,
      false,
      false,
      true,
    ]);
    for (const { refreshToken } of [refreshed, other])
      expect(await codeOf(refresh(refreshToken))).to.equal('invalid_refresh_token');
    const next = await refresh(changed.refreshToken);
    expect(await areActive(next.token, changed.token)).to.deep.equal([true, true]);
    expect(await codeOf(logIn(user.email))).to.equal('wrong_credentials');
    expect(await codeOf(logIn(user.email, { password: newPassword }))).to.equal('done');
    const mail = (await mailsTo(user.email)).at(-1);
    expect(mail?.subject).to.equal('Your Gatehouse password was changed');
    expect(mail?.text).to.contain(caller.address).and.not.contain(newPassword);
  });

  it('ends a session that an earlier change kept', async () => {
    const { logIn, signUp } = core();
    const first = await signUp();
    const newTokens = await change(first.token);
    const second = tokensIn(await logIn(first.email, { password: newPassword }));
    await change(second.token, { currentPassword: newPassword, newPassword: 'a third horse battery' });
    expect(await areActive(newTokens.token)).to.deep.equal([false]);
  });

  it('is refused for a new password that breaks a rule, then for a wrong current password', async () => {
    const { logIn, signUp } = core();
    const { email, token } = await signUp();
    expect(await codeOf(change(token, { currentPassword: 'a wrong one' }))).to.equal('wrong_credentials');
    for (const currentPassword of [password, 'a wrong one'])
      expect(await codeOf(change(token, { currentPassword, newPassword: 'short12' }))).to.equal(
        'password_too_short',
      );
    expect(await codeOf(logIn(email))).to.equal('done');
  });

  it('needs a code while two-factor authentication is on, and keeps it on', async () => {
    const { logIn, signUpWithFactor } = core();
    const { app, email, token } = await signUpWithFactor();
    expect(await codeOf(change(token))).to.equal('code_required');
    const wrong = change(token, { verificationCode: app.wrong() });
    expect(await codeOf(wrong)).to.equal('invalid_two_factor_code');
    expect(await codeOf(change(token, { verificationCode: app.fresh() }))).to.equal('done');
    expect(await logIn(email, { password: newPassword })).to.have.property('requires2FA', true);
  });

  it('succeeds for exactly one of two concurrent calls', async () => {
    const { logIn, signUp } = core();
    const { email, token } = await signUp();
    const other = tokensIn(await logIn(email));
    const passwords = ['one horse battery', 'two horse batteries'];
    const outcomes = await race(2, (place) =>
      codeOf(change([token, other.token][place] ?? '', { newPassword: passwords[place] })),
    );
    expect(outcomes.filter((code) => code === 'done')).to.have.length(1);
    const winner = passwords[outcomes.indexOf('done')] ?? '';
    expect(await codeOf(logIn(email, { password: winner }))).to.equal('done');
  });

  const reset = async ({ accounts, codeTo }: AccountsContext, email: string, by = caller) => {
    await accounts.requestPasswordReset({ email }, by);
    await accounts.confirmPasswordReset({ email, code: await codeTo(email), newPassword }, by);
  };
  for (const [origin, address, renew] of [
    [
      'the change',
      '192.0.2.2',
      async (_: AccountsContext, token: string) => change(token, {}, callerAt('192.0.2.2')),
    ],
    [
      'a reset',
      '192.0.2.2',
      async (core: AccountsContext, _: string, email: string) => reset(core, email, callerAt('192.0.2.2')),
    ],
    [
      'a reset elsewhere',
      null,
      async (core: AccountsContext, _: string, email: string) => reset(core, email, callerAt('203.0.113.1')),
    ],
  ] as const) {
    it(`deletes known addresses, except for a known address from which ${origin} comes`, async () => {
      const { account, logIn, signUp } = core();
      const { id, email, token } = await signUp(undefined, callerAt('192.0.2.1'));
      for (const host of [2, 3]) await logIn(email, {}, callerAt(`192.0.2.${host}`));
      const knownDigests = async () => (await account(id)).knownAddresses.map(({ digest }) => digest);
      const [, second = ''] = (await knownDigests()).toReversed();
      await renew(core(), token, email);
      expect(await knownDigests()).to.deep.equal(address === null ? [] : [second]);
    });
  }
});

describe('A password from context words', () => {
  const core = useAccounts({ productName: 'Quicksilver Vault' }, () => ({
    blocklist: {
      has: async (enteredPassword, words = []) =>
        words.some((word) => word.toLowerCase() === enteredPassword),
    },
  }));
  const email = 'lovelace@byron-estate.example';
  const CONTEXT_WORDS = ['lovelace', 'byron-estate', 'zephyrine', 'quicksilvervault'];

  it('is refused at sign-up, by a reset and by a change', async () => {
    const { accounts, codeTo } = core();
    const register = (enteredPassword: string) =>
      codeOf(accounts.register({ email, password: enteredPassword, displayName: 'The Zephyrine' }, caller));
    for (const enteredPassword of CONTEXT_WORDS)
      expect(await register(enteredPassword), enteredPassword).to.equal('password_too_common');
    await register(password);
    const { token } = tokensIn(await accounts.verifyEmail({ email, code: await codeTo(email) }, caller));
    await accounts.requestPasswordReset({ email }, caller);
    const code = await codeTo(email);
    const principal = await accounts.authenticate(token);
    const confirm = (enteredPassword: string, typed = code) =>
      codeOf(accounts.confirmPasswordReset({ email, code: typed, newPassword: enteredPassword }, caller));
    // Without the code, the refusal does not reveal the display name.
    expect(await confirm('zephyrine', '00000-00000')).to.equal('invalid_code');
    for (const enteredPassword of CONTEXT_WORDS) {
      const input = { currentPassword: password, newPassword: enteredPassword };
      expect(await codeOf(accounts.changePassword(principal, input, caller)), enteredPassword).to.equal(
        'password_too_common',
      );
      expect(await confirm(enteredPassword), enteredPassword).to.equal('password_too_common');
    }
    expect(await confirm(newPassword)).to.equal('done');
  });
});
