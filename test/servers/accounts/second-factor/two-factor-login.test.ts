import { expect } from 'chai';
import { useService } from '../../../support/service.ts';
import { beginFactor, logIn, me, signUpWithFactor, toNextStep } from './factor.ts';

describe('Logging in with two-factor authentication on', () => {
  const service = useService();

  it('challenges the right password with exactly the fields of the contract', async () => {
    const { user } = await signUpWithFactor(service());
    const { status, body } = await logIn(service(), user);

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('user', 'requires2FA', 'pendingToken', 'message');
    expect(body.user).to.deep.equal({ id: user.id, email: user.email, displayName: null, avatar: null });
    expect(body.requires2FA).to.equal(true);
    expect(body.pendingToken).to.be.a('string').and.not.equal('');
    expect(body.message).to.be.a('string').and.not.equal('');
  });

  it('answers a wrong password alike with and without a code, and does not say that a code is due', async () => {
    const { user, app } = await signUpWithFactor(service());
    const stranger = { email: user.email, password: 'not the right one' };

    for (const more of [{}, { verificationCode: app.fresh() }, { verificationCode: app.wrong() }]) {
      const refused = await logIn(service(), stranger, more);
      expect(refused.status).to.equal(401);
      expect(refused.body).to.deep.equal({
        message: 'Email or password is wrong.',
        code: 'wrong_credentials',
      });
    }
  });

  it('logs in with password and code, and the token opens what it opens without', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { status, body } = await logIn(service(), user, { verificationCode: app.fresh() });

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('user', 'token', 'refreshToken', 'services', 'banned', 'disabled');
    expect(await me(service(), String(body.token))).to.equal(200);
  });

  it('takes a code as the app shows it and as people type it, to set up, log in and switch off', async () => {
    const user = await service().signUp();
    const app = await beginFactor(service(), user);
    const typed = (between: string) => app.fresh().replace(/^.{3}/, (first) => first + between);
    const configure = (body: object) => service().post('/api/auth/2fa', body, { token: user.token });
    const confirmed = await configure({ enable: true, verificationCode: typed(' '), secret: app.secret });
    expect(confirmed.status).to.equal(200);
    for (const between of [' ', '-', '\u00a0', '\u2013']) {
      expect((await logIn(service(), user, { verificationCode: typed(between) })).body).to.have.property(
        'token',
      );
    }
    expect((await configure({ enable: false, verificationCode: ` ${typed(' ')} ` })).status).to.equal(200);
  });

  it('refuses a wrong code with 401', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { status, body, headers } = await logIn(service(), user, { verificationCode: app.wrong() });

    expect(status).to.equal(401);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('invalid_two_factor_code');
    expect(headers.get('www-authenticate')).to.equal('Bearer');
  });

  it('ignores a code where two-factor authentication is off', async () => {
    const user = await service().signUp();

    expect((await logIn(service(), user, { verificationCode: '123456' })).body).to.have.property('token');
  });

  it('takes the codes of one step before and one after now, and no others', async () => {
    const { user, app } = await signUpWithFactor(service());
    const statusOf = async (verificationCode: string) =>
      (await logIn(service(), user, { verificationCode })).status;
    for (let step = 0; step < 10; step += 1) toNextStep(service());

    expect(await statusOf(app.code(-2))).to.equal(401);
    expect(await statusOf(app.code(2))).to.equal(401);
    expect(await statusOf(app.code(-1))).to.equal(200);
    expect(await statusOf(app.code(0))).to.equal(200);
    expect(await statusOf(app.code(1))).to.equal(200);
  });

  it('takes a step once', async () => {
    const { user, app } = await signUpWithFactor(service());
    const verificationCode = app.fresh();

    expect((await logIn(service(), user, { verificationCode })).status).to.equal(200);
    const again = await logIn(service(), user, { verificationCode });
    expect(again.status).to.equal(401);
    expect(again.body.code).to.equal('invalid_two_factor_code');
  });

  it('takes no older step after a newer one', async () => {
    const { user, app } = await signUpWithFactor(service());
    for (let step = 0; step < 3; step += 1) toNextStep(service());
    const [older, now, newer] = [app.code(-1), app.code(0), app.code(1)];
    const statusOf = async (verificationCode: string) =>
      (await logIn(service(), user, { verificationCode })).status;

    expect(await statusOf(newer)).to.equal(200);
    expect(await statusOf(now)).to.equal(401);
    expect(await statusOf(older)).to.equal(401);
    expect(await statusOf(app.fresh())).to.equal(401, 'the step that came early is used up');
    expect(await statusOf(app.fresh())).to.equal(200);
  });

  it('takes a step once whatever it was used for', async () => {
    const { user, app } = await signUpWithFactor(service());
    const newPassword = 'another horse battery';
    const verificationCode = app.fresh();
    const changed = await service().post(
      '/api/auth/password',
      { currentPassword: user.password, newPassword, verificationCode },
      { token: user.token },
    );

    expect(changed.status).to.equal(200);
    const renamed = { ...user, password: newPassword };
    expect((await logIn(service(), renamed, { verificationCode })).status).to.equal(401);
    expect((await logIn(service(), renamed, { verificationCode: app.fresh() })).status).to.equal(200);
  });
});
