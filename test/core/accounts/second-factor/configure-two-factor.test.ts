import { expect } from 'chai';
import { writeProof } from '../../../../core/accounts/sessions/change-session.ts';
import { makeApp } from '../../../servers/accounts/second-factor/factor.ts';
import { type AccountsContext, newPassword, tokensIn, useAccounts } from '../open-accounts.ts';
import { caller, codeOf, password } from '../open-core.ts';

type User = Awaited<ReturnType<AccountsContext['signUp']>>;

describe('The setup of a second factor', () => {
  const core = useAccounts();
  const begin = async ({ principal }: Pick<User, 'principal'>) => {
    const setup = await core().accounts.configureTwoFactor(await principal(), { enable: true }, caller);
    return makeApp(core(), 'secret' in setup ? setup.secret : '');
  };
  const confirm = async ({ principal }: Pick<User, 'principal'>, secret: string, verificationCode: string) =>
    codeOf(
      core().accounts.configureTwoFactor(
        await principal(),
        { enable: true, secret, verificationCode },
        caller,
      ),
    );
  const switchOff = async ({ principal }: Pick<User, 'principal'>, verificationCode: string) =>
    codeOf(
      core().accounts.configureTwoFactor(await principal(), { enable: false, verificationCode }, caller),
    );
  const isOn = async ({ principal }: Pick<User, 'principal'>) =>
    (await core().accounts.showProfile(await principal())).user.twoFactorEnabled;

  it('turns the factor on only after a code of the newest secret', async () => {
    const { logIn, signUp } = core();
    const user = await signUp();
    const [first, second] = [await begin(user), await begin(user)];
    expect(second.secret).not.to.equal(first.secret);
    expect([await isOn(user), await switchOff(user, second.code())]).to.deep.equal([false, 'two_factor_off']);
    expect(await logIn(user.email)).to.have.property('token');
    expect(await confirm(user, first.secret, first.code())).to.equal('two_factor_not_pending');
    expect(await confirm(user, second.secret, second.code())).to.equal('done');
    expect(await isOn(user)).to.equal(true);
  });

  it('refuses a wrong code, and accepts a right one afterwards', async () => {
    const user = await core().signUp();
    const app = await begin(user);
    for (const code of [app.wrong(), app.code(-3), app.code(3), `${app.code()}.`, 'abcdef'])
      expect(await confirm(user, app.secret, code)).to.equal('invalid_two_factor_code');
    expect(await confirm(user, app.secret, app.code())).to.equal('done');
    expect(await confirm(user, app.secret, app.fresh())).to.equal('two_factor_on');
  });

  it('refuses a foreign secret, and any secret if no setup was begun', async () => {
    const { signUp } = core();
    const [user, other] = [await signUp(), await signUp('grace@example.com')];
    const foreign = await begin(other);
    expect(await confirm(user, foreign.secret, foreign.code())).to.equal('two_factor_not_pending');
    const app = await begin(user);
    expect(await confirm(user, foreign.secret, foreign.code())).to.equal('two_factor_not_pending');
    expect(await confirm(user, foreign.secret, app.code())).to.equal('two_factor_not_pending');
    expect(await isOn(user)).to.equal(false);
  });

  it('ends the other sessions and sends a notice, and so does turning the factor off', async () => {
    const { accounts, isActive, logIn, mailsTo, signUp, turnOnFactor } = core();
    const user = await signUp();
    const before = tokensIn(await logIn(user.email));
    const app = await turnOnFactor(user);
    const during = tokensIn(await logIn(user.email, { verificationCode: app.fresh() }));
    expect([await isActive(user.token), await isActive(before.token)]).to.deep.equal([true, false]);
    expect(await switchOff(user, app.fresh())).to.equal('done');
    expect([await isActive(user.token), await isActive(during.token)]).to.deep.equal([true, false]);
    for (const { refreshToken } of [before, during])
      expect(await codeOf(accounts.refresh({ refreshToken }, caller))).to.equal('invalid_refresh_token');
    const subjects = (await mailsTo(user.email)).slice(1).map(({ subject }) => subject);
    expect(subjects).to.deep.equal([
      'Two-factor authentication is on for Gatehouse',
      'Two-factor authentication is off for Gatehouse',
    ]);
  });

  it('adds the factor to the newest proof of the session', async () => {
    const { accounts, ports, signUp } = core();
    const user = await signUp();
    const principal = await user.principal();
    const { code, secret } = await begin(user);
    // Another tab stores a newer proof meanwhile.
    const authenticatedAt = principal.session.authenticatedAt + 60_000;
    const key = { userId: user.id, id: principal.session.id };
    await writeProof(ports, key, () => ({ authenticatedAt, methods: ['password'] }));
    const input = { enable: true, secret, verificationCode: code() };
    await accounts.configureTwoFactor(principal, input, caller);
    expect(await ports.sessions.find(key.userId, key.id)).to.deep.include({
      authenticatedAt,
      methods: ['password', 'totp'],
    });
  });

  it('is refused after a concurrent change of the factor or the password by another session', async () => {
    const { accounts, clock, logIn, signUp, turnOnFactor } = core();
    const user = await signUp();
    const { token } = tokensIn(await logIn(user.email));
    const otherPrincipal = await accounts.authenticate(token);
    const app = await begin({ principal: async () => otherPrincipal });
    const newApp = await turnOnFactor(user);
    const late = { enable: true, secret: app.secret, verificationCode: app.code() };
    expect(await codeOf(accounts.configureTwoFactor(otherPrincipal, late, caller))).to.equal('two_factor_on');

    const earlierPrincipal = await user.principal();
    expect(await switchOff(user, newApp.fresh())).to.equal('done');
    clock.advance(30_000);
    const off = { enable: false, verificationCode: newApp.code() };
    expect(await codeOf(accounts.configureTwoFactor(earlierPrincipal, off, caller))).to.equal(
      'two_factor_off',
    );

    const laterPrincipal = await user.principal();
    const change = { currentPassword: password, newPassword };
    await accounts.changePassword(laterPrincipal, change, caller);
    expect(await codeOf(accounts.configureTwoFactor(laterPrincipal, off, caller))).to.equal('invalid_token');
  });

  it('voids the former secret and recovery codes if the factor was turned off before', async () => {
    const { logIn, signUpWithFactor, turnOnFactor } = core();
    const { app, ...user } = await signUpWithFactor();
    await switchOff(user, app.fresh());
    expect(await logIn(user.email)).to.have.property('token');
    expect(await confirm(user, app.secret, app.fresh())).to.equal('two_factor_not_pending');
    await turnOnFactor(user);
    const [verificationCode = ''] = app.recoveryCodes;
    expect(await codeOf(logIn(user.email, { verificationCode }))).to.equal('invalid_two_factor_code');
  });
});
