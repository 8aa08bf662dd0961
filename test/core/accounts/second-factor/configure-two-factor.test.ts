import { expect } from 'chai';
import { writeProof } from '../../../../core/accounts/sessions/change-session.ts';
import { makeApp } from '../../../servers/accounts/second-factor/factor.ts';
import { caller, codeOf, password } from '../open-core.ts';
import { newPassword, type People, tokensIn, usePeople } from '../use-people.ts';

type Person = Awaited<ReturnType<People['signUp']>>;

describe('Setting up a second factor', () => {
  const people = usePeople();
  const begin = async ({ who }: Pick<Person, 'who'>) => {
    const setup = await people().accounts.configureTwoFactor(await who(), { enable: true }, caller);
    return makeApp(people(), 'secret' in setup ? setup.secret : '');
  };
  const confirm = async ({ who }: Pick<Person, 'who'>, secret: string, verificationCode: string) =>
    codeOf(
      people().accounts.configureTwoFactor(await who(), { enable: true, secret, verificationCode }, caller),
    );
  const switchOff = async ({ who }: Pick<Person, 'who'>, verificationCode: string) =>
    codeOf(people().accounts.configureTwoFactor(await who(), { enable: false, verificationCode }, caller));
  const isOn = async ({ who }: Pick<Person, 'who'>) =>
    (await people().accounts.showProfile(await who())).user.twoFactorEnabled;

  it('leaves it off until a code is sent, and only the last secret counts', async () => {
    const { logIn, signUp } = people();
    const user = await signUp();
    const [first, second] = [await begin(user), await begin(user)];
    expect(second.secret).not.to.equal(first.secret);
    expect([await isOn(user), await switchOff(user, second.code())]).to.deep.equal([false, 'two_factor_off']);
    expect(await logIn(user.email)).to.have.property('token');
    expect(await confirm(user, first.secret, first.code())).to.equal('invalid_two_factor_code');
    expect(await confirm(user, second.secret, second.code())).to.equal('done');
    expect(await isOn(user)).to.equal(true);
  });

  it('is refused with a wrong code, and may be tried again', async () => {
    const user = await people().signUp();
    const app = await begin(user);
    for (const code of [app.wrong(), app.code(-3), app.code(3), `${app.code()}.`, 'abcdef'])
      expect(await confirm(user, app.secret, code)).to.equal('invalid_two_factor_code');
    expect(await confirm(user, app.secret, app.code())).to.equal('done');
    expect(await confirm(user, app.secret, app.fresh())).to.equal('two_factor_on');
  });

  it('is refused with a secret of the caller’s own, and where nothing was begun', async () => {
    const { signUp } = people();
    const [user, other] = [await signUp(), await signUp('grace@example.com')];
    const foreign = await begin(other);
    expect(await confirm(user, foreign.secret, foreign.code())).to.equal('two_factor_not_pending');
    const app = await begin(user);
    expect(await confirm(user, foreign.secret, foreign.code())).to.equal('invalid_two_factor_code');
    expect(await confirm(user, foreign.secret, app.code())).to.equal('invalid_two_factor_code');
    expect(await isOn(user)).to.equal(false);
  });

  it('ends the other sessions, as switching it off does, and never the caller’s, and is told by mail', async () => {
    const { accounts, isGood, logIn, mailsTo, signUp, turnOnFactor } = people();
    const user = await signUp();
    const before = tokensIn(await logIn(user.email));
    const app = await turnOnFactor(user);
    const during = tokensIn(await logIn(user.email, { verificationCode: app.fresh() }));
    expect([await isGood(user.token), await isGood(before.token)]).to.deep.equal([true, false]);
    expect(await switchOff(user, app.fresh())).to.equal('done');
    expect([await isGood(user.token), await isGood(during.token)]).to.deep.equal([true, false]);
    for (const { refreshToken } of [before, during])
      expect(await codeOf(accounts.refresh({ refreshToken }, caller))).to.equal('invalid_refresh_token');
    const subjects = (await mailsTo(user.email)).slice(1).map(({ subject }) => subject);
    expect(subjects).to.deep.equal([
      'Two-factor authentication is on for Gatehouse',
      'Two-factor authentication is off for Gatehouse',
    ]);
  });

  it('adds the factor to the newest proof of the session, not to the one it was begun with', async () => {
    const { accounts, ports, signUp } = people();
    const user = await signUp();
    const principal = await user.who();
    const { code, secret } = await begin(user);
    // Another tab proves meanwhile.
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

  it('is refused by the reason when another session was faster, be it by the factor or by a password', async () => {
    const { accounts, clock, logIn, signUp, turnOnFactor } = people();
    const user = await signUp();
    const { token } = tokensIn(await logIn(user.email));
    const other = await accounts.authenticate(token);
    const app = await begin({ who: async () => other });
    const faster = await turnOnFactor(user);
    const late = { enable: true, secret: app.secret, verificationCode: app.code() };
    expect(await codeOf(accounts.configureTwoFactor(other, late, caller))).to.equal('two_factor_on');

    const before = await user.who();
    expect(await switchOff(user, faster.fresh())).to.equal('done');
    clock.advance(30_000);
    const off = { enable: false, verificationCode: faster.code() };
    expect(await codeOf(accounts.configureTwoFactor(before, off, caller))).to.equal('two_factor_off');

    const still = await user.who();
    const change = { currentPassword: password, newPassword };
    await accounts.changePassword(still, change, caller);
    expect(await codeOf(accounts.configureTwoFactor(still, off, caller))).to.equal('invalid_token');
  });

  it('begins anew after it was switched off: secret and recovery codes of before are void', async () => {
    const { logIn, signUpWithFactor, turnOnFactor } = people();
    const { app, ...user } = await signUpWithFactor();
    await switchOff(user, app.fresh());
    expect(await logIn(user.email)).to.have.property('token');
    expect(await confirm(user, app.secret, app.fresh())).to.equal('two_factor_not_pending');
    await turnOnFactor(user);
    const [verificationCode = ''] = app.recoveryCodes;
    expect(await codeOf(logIn(user.email, { verificationCode }))).to.equal('invalid_two_factor_code');
  });
});
