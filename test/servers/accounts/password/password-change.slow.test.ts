import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { inRounds, race } from '../../../contracts/race.ts';
import { type User, useService } from '../../../support/service.ts';
import { logIn, logInAgain, me, signUpWithFactor } from '../second-factor/factor.ts';
import { useStores } from '../stores.ts';

const newPassword = 'another horse battery';

describe('Changing the password', () => {
  const service = useService();
  const stores = useStores(service);
  const change = ({ token }: Pick<User, 'token'>, body: unknown) =>
    service().post('/api/auth/password', body, { token });

  it('takes the current one, and from then on only the new one logs in', async () => {
    const user = await service().signUp();
    const { status, body } = await change(user, { currentPassword: user.password, newPassword });

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('success', 'token', 'refreshToken');
    expect(body.success).to.equal(true);
    expect((await logIn(service(), user)).status).to.equal(401);
    expect((await logIn(service(), { ...user, password: newPassword })).status).to.equal(200);
  });

  const refresh = (refreshToken: unknown) => service().post('/api/auth/refresh', { refreshToken });

  it('ends the other sessions, and the caller’s goes on with new tokens alone', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    const { body } = await change(user, { currentPassword: user.password, newPassword });

    expect(decodeJwt(String(body.token)).sid).to.equal(decodeJwt(user.token).sid);
    expect(await me(service(), String(body.token))).to.equal(200);
    expect(await me(service(), user.token)).to.equal(401);
    expect(await me(service(), other.token)).to.equal(401);
    expect((await refresh(user.refreshToken)).status).to.equal(401);
    expect((await refresh(other.refreshToken)).status).to.equal(401);
    const next = await refresh(body.refreshToken);
    expect(next.status).to.equal(200);
    expect(await me(service(), String(next.body.token))).to.equal(200);
    expect(await me(service(), String(body.token))).to.equal(200);
  });

  it('ends tokens that a refresh gave in the same second', async () => {
    const user = await service().signUp();
    const { body } = await refresh(user.refreshToken);
    await change({ token: String(body.token) }, { currentPassword: user.password, newPassword });

    expect(await me(service(), user.token)).to.equal(401);
    expect(await me(service(), String(body.token))).to.equal(401);
    expect((await refresh(body.refreshToken)).status).to.equal(401);
  });

  it('leaves one good pair where the session is refreshed at the same time', () =>
    inRounds(async () => {
      const user = await service().signUp();
      const [changed, refreshed] = await Promise.all([
        change(user, { currentPassword: user.password, newPassword }),
        refresh(user.refreshToken),
      ]);
      expect(changed?.status).to.equal(200);
      expect(await me(service(), String(changed?.body.token))).to.equal(200);
      if (refreshed?.status === 200) expect(await me(service(), String(refreshed.body.token))).to.equal(401);
      expect((await refresh(changed?.body.refreshToken)).status).to.equal(200);
    }));

  it('ends a session that an earlier change had kept', async () => {
    const first = await service().signUp();
    await change(first, { currentPassword: first.password, newPassword });
    const second = await logInAgain(service(), { ...first, password: newPassword });
    const { body } = await change(second, {
      currentPassword: newPassword,
      newPassword: 'a third horse battery',
    });

    expect(await me(service(), first.token)).to.equal(401);
    expect(await me(service(), String(body.token))).to.equal(200);
  });

  it('is audited, and told by mail with when and from where', async () => {
    const user = await service().signUp();
    await change(user, { currentPassword: user.password, newPassword });
    const mail = await service().mailTo(user.email, 2);

    expect(mail.subject).to.equal('Your Gatehouse password was changed');
    expect(mail.text).to.contain('127.0.0.1');
    expect(mail.text).not.to.contain(newPassword);
    await stores().settled();
    expect(await stores().actionsAbout(user.id)).to.deep.equal(['password.changed']);
  });

  it('is refused with 401 when the current one is wrong, and changes nothing', async () => {
    const user = await service().signUp();
    const { status, body } = await change(user, { currentPassword: 'a wrong one', newPassword });

    expect([status, body.code]).to.deep.equal([401, 'wrong_credentials']);
    expect((await logIn(service(), user)).status).to.equal(200);
  });

  it('is refused with 400 when the new one breaks a rule, whatever the current one is', async () => {
    const user = await service().signUp();

    for (const [wrong, code] of [
      ['short12', 'password_too_short'],
      [' '.repeat(10), 'password_not_allowed'],
      ['with a \0 in it', 'password_not_allowed'],
      ['x'.repeat(257), 'password_too_long'],
      ['password123', 'password_too_common'],
    ]) {
      for (const currentPassword of [user.password, 'a wrong one']) {
        const { status, body } = await change(user, { currentPassword, newPassword: wrong });
        expect([status, body.code], wrong).to.deep.equal([400, code]);
      }
    }
    expect((await logIn(service(), user)).status).to.equal(200);
  });

  it('is refused with 400 when something is missing or no text', async () => {
    const user = await service().signUp();

    for (const body of [
      {},
      { newPassword },
      { currentPassword: user.password },
      { currentPassword: 7, newPassword },
      { currentPassword: user.password, newPassword: null },
    ]) {
      expect((await change(user, body)).status, JSON.stringify(body)).to.equal(400);
    }
  });

  it('needs a code where two-factor authentication is on: missing 400, wrong 401', async () => {
    const { user, app } = await signUpWithFactor(service());
    const body = { currentPassword: user.password, newPassword };

    const missing = await change(user, body);
    expect([missing.status, missing.body.code]).to.deep.equal([400, 'code_required']);
    const wrong = await change(user, { ...body, verificationCode: app.wrong() });
    expect([wrong.status, wrong.body.code]).to.deep.equal([401, 'invalid_two_factor_code']);
    expect((await change(user, { ...body, verificationCode: app.fresh() })).status).to.equal(200);
    const { body: challenge } = await logIn(service(), { ...user, password: newPassword });
    expect(challenge.requires2FA).to.equal(true, 'the second factor stays on');
  });

  it('counts wrong current ones with those at login, and is held with it', async () => {
    const user = await service().signUp();
    for (let time = 0; time < 60; time += 1) {
      await change(user, { currentPassword: 'a wrong one', newPassword });
    }
    for (let time = 0; time < 40; time += 1) {
      expect((await logIn(service(), { ...user, password: 'a wrong one' })).status).to.equal(401);
    }

    const held = await change(user, { currentPassword: user.password, newPassword });
    expect([held.status, held.body.code]).to.deep.equal([429, 'login_held']);
    expect(Number(held.headers.get('retry-after'))).to.be.within(86_000, 86_400);
    expect((await logIn(service(), user)).status).to.equal(429);
    expect(await me(service(), user.token)).to.equal(200, 'live sessions are not touched');
  });

  it('counts wrong current ones exactly, however many come at once', async () => {
    const user = await service().signUp();
    const wrong = { currentPassword: 'a wrong one', newPassword };
    for (let time = 0; time < 95; time += 1) await change(user, wrong);
    const statuses = (await race(15, () => change(user, wrong))).map(({ status }) => status);

    expect(statuses.filter((status) => status === 401)).to.have.length(5);
    expect(statuses.filter((status) => status === 429)).to.have.length(10);
  });

  it('lets exactly one of two changes at once through', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    const passwords = ['one horse battery', 'two horse batteries'];
    const answers = await Promise.all([
      change(user, { currentPassword: user.password, newPassword: passwords[0] }),
      change(other, { currentPassword: user.password, newPassword: passwords[1] }),
    ]);

    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 401]);
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect((await logIn(service(), { ...user, password: winner })).status).to.equal(200);
  });
});
