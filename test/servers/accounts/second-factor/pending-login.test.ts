import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { logIn, me, signUpWithFactor } from './factor.ts';

const MINUTE = 60_000;

describe('The pending token of a login', () => {
  const service = useService();
  const pendingFor = async (user: User) => String((await logIn(service(), user)).body.pendingToken);
  const finish = (email: string, pendingToken: string, verificationCode: string) =>
    service().post('/api/auth/login', { email, pendingToken, verificationCode });

  it('stands in for the password at the second call', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { status, body } = await finish(user.email, await pendingFor(user), app.fresh());

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('user', 'token', 'refreshToken', 'services', 'banned', 'disabled');
    expect(await me(service(), String(body.token))).to.equal(200);
  });

  it('takes a recovery code as well', async () => {
    const { user, app } = await signUpWithFactor(service());

    const done = await finish(user.email, await pendingFor(user), app.recoveryCodes[0] ?? '');
    expect(done.status).to.equal(200);
  });

  it('needs a code with it', async () => {
    const { user } = await signUpWithFactor(service());
    const pendingToken = await pendingFor(user);
    const { status, body } = await service().post('/api/auth/login', { email: user.email, pendingToken });

    expect([status, body.code]).to.deep.equal([400, 'code_required']);
  });

  it('is spent by success', async () => {
    const { user, app } = await signUpWithFactor(service());
    const pendingToken = await pendingFor(user);
    await finish(user.email, pendingToken, app.fresh());

    const again = await finish(user.email, pendingToken, app.fresh());
    expect([again.status, again.body.code]).to.deep.equal([401, 'wrong_credentials']);
  });

  it('is not spent by a wrong code', async () => {
    const { user, app } = await signUpWithFactor(service());
    const pendingToken = await pendingFor(user);

    const wrong = await finish(user.email, pendingToken, app.wrong());
    expect([wrong.status, wrong.body.code]).to.deep.equal([401, 'invalid_two_factor_code']);
    expect((await finish(user.email, pendingToken, app.fresh())).status).to.equal(200);
  });

  it('is good for five minutes', async () => {
    const { user, app } = await signUpWithFactor(service());
    const [early, late] = [await pendingFor(user), await pendingFor(user)];

    service().clock.advance(4 * MINUTE);
    expect((await finish(user.email, early, app.fresh())).status).to.equal(200);
    service().clock.advance(MINUTE);
    expect((await finish(user.email, late, app.fresh())).status).to.equal(401);
  });

  it('opens only the account it was made for', async () => {
    const one = await signUpWithFactor(service());
    const other = await signUpWithFactor(service());
    const plain = await service().signUp();
    const pendingToken = await pendingFor(one.user);

    expect((await finish(other.user.email, pendingToken, other.app.fresh())).status).to.equal(401);
    expect((await finish(plain.email, pendingToken, '123456')).status).to.equal(401);
    expect((await finish('nobody@example.com', pendingToken, '123456')).status).to.equal(401);
    expect((await finish(one.user.email, pendingToken, one.app.fresh())).status).to.equal(200);
  });

  it('is refused when anything in it was changed', async () => {
    const { user, app } = await signUpWithFactor(service());
    const pendingToken = await pendingFor(user);
    const [id = '', expiry = '', mark = ''] = pendingToken.split('.');

    for (const forged of [
      `${id}.${String(Number(expiry) + 60_000)}.${mark}`,
      `${id.slice(1)}A.${expiry}.${mark}`,
      `${id}.${expiry}.${mark.slice(1)}A`,
      `${pendingToken}=`,
      `${id}.${expiry}`,
      'garbage',
    ]) {
      expect((await finish(user.email, forged, app.fresh())).status, forged).to.equal(401);
    }
  });

  it('is void once the password is changed', async () => {
    const { user, app } = await signUpWithFactor(service());
    const pendingToken = await pendingFor(user);
    const changed = await service().post(
      '/api/auth/password',
      {
        currentPassword: user.password,
        newPassword: 'another horse battery',
        verificationCode: app.fresh(),
      },
      { token: user.token },
    );

    expect(changed.status).to.equal(200);
    expect((await finish(user.email, pendingToken, app.fresh())).status).to.equal(401);
  });

  it('is void once the second factor is off, also when it is on again', async () => {
    const { user, app } = await signUpWithFactor(service());
    const pendingToken = await pendingFor(user);
    await service().post(
      '/api/auth/2fa',
      { enable: false, verificationCode: app.fresh() },
      { token: user.token },
    );

    expect((await finish(user.email, pendingToken, app.fresh())).status).to.equal(401);
  });
});
