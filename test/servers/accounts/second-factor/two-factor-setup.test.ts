import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { beginFactor, logIn, logInAgain, me, signUpWithFactor, turnOnFactor } from './factor.ts';

describe('Switching two-factor authentication on and off', () => {
  const service = useService();
  const twoFactor = ({ token }: Pick<User, 'token'>, body: unknown) =>
    service().post('/api/auth/2fa', body, { token });
  const isOn = async ({ token }: Pick<User, 'token'>) =>
    (await service().request('GET', '/api/auth/me', { token })).body.user?.twoFactorEnabled;

  describe('begun', () => {
    it('gives a PNG to scan, the secret, and the secret as people type it', async () => {
      const { status, body } = await twoFactor(await service().signUp(), { enable: true });

      expect(status).to.equal(200);
      expect(body).to.have.all.keys('qrCode', 'manualEntryKey', 'secret');
      const [head, data = ''] = String(body.qrCode).split(',');
      expect(head).to.equal('data:image/png;base64');
      expect(Buffer.from(data, 'base64').subarray(0, 8).toString('hex')).to.equal('89504e470d0a1a0a');
      expect(body.secret).to.match(/^[A-Z2-7]{32}$/, '160 bits');
      expect(body.manualEntryKey).to.match(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
      expect(String(body.manualEntryKey).replaceAll(' ', '')).to.equal(body.secret);
    });

    it('leaves it off until a code is sent', async () => {
      const user = await service().signUp();
      await twoFactor(user, { enable: true });

      expect(await isOn(user)).to.equal(false);
      expect((await logIn(service(), user)).body).to.have.property('token');
    });

    it('makes another secret each time, and only the last one counts', async () => {
      const user = await service().signUp();
      const first = await beginFactor(service(), user);
      const second = await beginFactor(service(), user);
      const confirm = ({ code, secret }: typeof first) =>
        twoFactor(user, { enable: true, verificationCode: code(), secret });

      expect(second.secret).not.to.equal(first.secret);
      expect((await confirm(first)).status).to.equal(400);
      expect((await confirm(second)).status).to.equal(200);
    });
  });

  describe('confirmed', () => {
    it('is on and gives ten recovery codes', async () => {
      const user = await service().signUp();
      const app = await beginFactor(service(), user);
      const confirmed = await twoFactor(user, {
        enable: true,
        verificationCode: app.code(),
        secret: app.secret,
      });

      expect(confirmed.status).to.equal(200);
      expect(confirmed.body).to.have.all.keys('success', 'recoveryCodes');
      expect(confirmed.body.success).to.equal(true);
      expect(new Set(confirmed.body.recoveryCodes as unknown as string[]).size).to.equal(10);
      expect(await isOn(user)).to.equal(true);
    });

    it('is refused with a wrong code, and may be tried again', async () => {
      const user = await service().signUp();
      const app = await beginFactor(service(), user);
      const confirm = (verificationCode: string) =>
        twoFactor(user, { enable: true, verificationCode, secret: app.secret });

      for (const code of [app.wrong(), app.code(-3), app.code(3), `${app.code()}.`, 'abcdef']) {
        const wrong = await confirm(code);
        expect(wrong.status).to.equal(400);
        expect(wrong.body.code).to.equal('invalid_two_factor_code');
      }
      expect((await confirm(app.code())).status).to.equal(200);
    });

    it('is refused with a secret of the caller’s own, even with its right code', async () => {
      const user = await service().signUp();
      await beginFactor(service(), user);
      const own = await beginFactor(service(), await service().signUp());
      const wrong = await twoFactor(user, {
        enable: true,
        verificationCode: own.code(),
        secret: own.secret,
      });

      expect(wrong.status).to.equal(400);
      expect(await isOn(user)).to.equal(false);
    });

    it('is refused when nothing was begun', async () => {
      const user = await service().signUp();
      const other = await beginFactor(service(), await service().signUp());
      const refused = await twoFactor(user, {
        enable: true,
        verificationCode: other.code(),
        secret: other.secret,
      });

      expect(refused.status).to.equal(400);
      expect(refused.body.code).to.equal('two_factor_not_pending');
    });

    it('needs both the code and the secret', async () => {
      const user = await service().signUp();
      const app = await beginFactor(service(), user);

      for (const body of [
        { enable: true, verificationCode: app.code() },
        { enable: true, secret: app.secret },
      ]) {
        const refused = await twoFactor(user, body);
        expect(refused.status).to.equal(400);
        expect(refused.body.code).to.equal('code_required');
      }
    });

    it('uses up its code: it does not log in afterwards', async () => {
      const user = await service().signUp();
      const app = await beginFactor(service(), user);
      const verificationCode = app.fresh();
      await twoFactor(user, { enable: true, verificationCode, secret: app.secret });

      expect((await logIn(service(), user, { verificationCode })).status).to.equal(401);
      expect((await logIn(service(), user, { verificationCode: app.fresh() })).status).to.equal(200);
    });

    it('answers 409 when it is on already', async () => {
      const { user, app } = await signUpWithFactor(service());

      for (const body of [
        { enable: true },
        { enable: true, verificationCode: app.fresh(), secret: app.secret },
      ]) {
        const refused = await twoFactor(user, body);
        expect(refused.status).to.equal(409);
        expect(refused.body.code).to.equal('two_factor_on');
      }
    });
  });

  describe('switched off', () => {
    it('needs a right code, and then logging in takes the password alone', async () => {
      const { user, app } = await signUpWithFactor(service());

      const missing = await twoFactor(user, { enable: false });
      expect(missing.status).to.equal(400);
      expect(missing.body.code).to.equal('code_required');
      const wrong = await twoFactor(user, { enable: false, verificationCode: app.wrong() });
      expect(wrong.status).to.equal(400);
      expect(wrong.body.code).to.equal('invalid_two_factor_code');
      expect(await isOn(user)).to.equal(true);

      const off = await twoFactor(user, { enable: false, verificationCode: app.fresh() });
      expect(off.status).to.equal(200);
      expect(off.body).to.deep.equal({ success: true });
      expect(await isOn(user)).to.equal(false);
      expect((await logIn(service(), user)).body).to.have.property('token');
    });

    it('answers 409 when it is not on, also while a setup waits', async () => {
      const user = await service().signUp();
      const app = await beginFactor(service(), user);
      const refused = await twoFactor(user, { enable: false, verificationCode: app.code() });

      expect(refused.status).to.equal(409);
      expect(refused.body.code).to.equal('two_factor_off');
    });

    it('voids the secret and the recovery codes: the next time begins anew', async () => {
      const { user, app } = await signUpWithFactor(service());
      await twoFactor(user, { enable: false, verificationCode: app.fresh() });

      const replayed = await twoFactor(user, {
        enable: true,
        verificationCode: app.fresh(),
        secret: app.secret,
      });
      expect(replayed.status).to.equal(400);
      await turnOnFactor(service(), user);
      const [old] = app.recoveryCodes;
      expect((await logIn(service(), user, { verificationCode: old ?? '' })).status).to.equal(401);
    });
  });

  it('ends the other sessions both ways, and never the caller’s', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    const app = await turnOnFactor(service(), user);
    expect([await me(service(), user.token), await me(service(), other.token)]).to.deep.equal([200, 401]);

    const { body } = await logIn(service(), user, { verificationCode: app.fresh() });
    await twoFactor(user, { enable: false, verificationCode: app.fresh() });
    expect([await me(service(), user.token), await me(service(), String(body.token))]).to.deep.equal([
      200, 401,
    ]);
    const refresh = (refreshToken: string) => service().post('/api/auth/refresh', { refreshToken });
    expect((await refresh(user.refreshToken)).status).to.equal(200);
    expect((await refresh(other.refreshToken)).status).to.equal(401);
    expect((await refresh(String(body.refreshToken))).status).to.equal(401);
  });

  it('is told to the user by mail both ways', async () => {
    const { user, app } = await signUpWithFactor(service());
    await twoFactor(user, { enable: false, verificationCode: app.fresh() });

    expect((await service().mailTo(user.email, 2)).subject).to.equal(
      'Two-factor authentication is on for Gatehouse',
    );
    expect((await service().mailTo(user.email, 3)).subject).to.equal(
      'Two-factor authentication is off for Gatehouse',
    );
  });

  it('refuses a body that says neither on nor off', async () => {
    const user = await service().signUp();

    for (const body of [{}, { enable: 'true' }, { enable: 1 }, { enable: null }, []]) {
      expect((await twoFactor(user, body)).status, JSON.stringify(body)).to.equal(400);
    }
  });
});
