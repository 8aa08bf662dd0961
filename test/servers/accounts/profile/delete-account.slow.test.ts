import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { type User, useService } from '../../../support/service.ts';
import { logIn, logInAgain, me, signUpWithFactor } from '../second-factor/factor.ts';
import { useStores } from '../stores.ts';

describe('Deleting the account', () => {
  const service = useService();
  const stores = useStores(service);
  const records = useRecords(service);
  const remove = ({ token }: Pick<User, 'token'>, body: unknown = undefined) =>
    service().post('/api/auth/delete-account', body, { token });
  const removed = async (): Promise<User> => {
    const user = await service().signUp();
    expect((await remove(user, { password: user.password })).status).to.equal(200);
    return user;
  };

  it('takes the password and answers as the contract says', async () => {
    const user = await service().signUp();
    const { status, body } = await remove(user, { password: user.password });

    expect(status).to.equal(200);
    expect(body).to.deep.equal({ success: true });
  });

  it('is refused without the password (400) and with a wrong one (401), and deletes nothing', async () => {
    const user = await service().signUp();

    for (const body of [undefined, {}, { verificationCode: '123456' }]) {
      const missing = await remove(user, body);
      expect([missing.status, missing.body.code]).to.deep.equal([400, 'password_required']);
    }
    for (const password of [7, null, '']) expect((await remove(user, { password })).status).to.equal(400);
    const wrong = await remove(user, { password: 'a wrong one' });
    expect([wrong.status, wrong.body.code]).to.deep.equal([401, 'wrong_credentials']);
    expect(await me(service(), user.token)).to.equal(200);
    expect((await logIn(service(), user)).status).to.equal(200);
  });

  it('needs a code where two-factor authentication is on: missing 400, wrong 401', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { password } = user;

    const missing = await remove(user, { password });
    expect([missing.status, missing.body.code]).to.deep.equal([400, 'code_required']);
    const wrong = await remove(user, { password, verificationCode: app.wrong() });
    expect([wrong.status, wrong.body.code]).to.deep.equal([401, 'invalid_two_factor_code']);
    const wrongPassword = await remove(user, { password: 'a wrong one', verificationCode: app.fresh() });
    expect([wrongPassword.status, wrongPassword.body.code]).to.deep.equal([401, 'wrong_credentials']);
    expect((await remove(user, { password, verificationCode: app.fresh() })).status).to.equal(200);
  });

  it('takes a recovery code as well', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { password } = user;

    const done = await remove(user, { password, verificationCode: app.recoveryCodes[0] });
    expect(done.status).to.equal(200);
    await stores().settled();
    const left = service().mails.filter(({ to }) => to === user.email);
    expect(left.at(-1)?.subject).to.equal('Your Gatehouse account was deleted');
  });

  it('needs no password where there is none', async () => {
    const user = await service().signUp();
    await records().change(user.email, { passwordHash: null });

    expect((await remove(user)).status).to.equal(200);
    expect(await me(service(), user.token)).to.equal(401);
  });

  it('counts wrong passwords with those at login, and is held with it', async () => {
    const user = await service().signUp();
    for (let time = 0; time < 100; time += 1) {
      expect((await remove(user, { password: 'a wrong one' })).status).to.equal(401);
    }

    const held = await remove(user, { password: user.password });
    expect([held.status, held.body.code]).to.deep.equal([429, 'login_held']);
    expect((await logIn(service(), user)).status).to.equal(429);
  });

  it('ends every session and every way in at once', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    await remove(user, { password: user.password });

    for (const { token, refreshToken } of [user, other]) {
      expect(await me(service(), token)).to.equal(401);
      expect((await service().post('/api/auth/refresh', { refreshToken })).status).to.equal(401);
    }
    const login = await logIn(service(), user);
    expect([login.status, login.body.code]).to.deep.equal([401, 'wrong_credentials']);
    expect((await remove(user, { password: user.password })).status).to.equal(401);
  });

  it('makes the email as unknown as one that never was', async () => {
    const { email, password } = await removed();
    const mailed = service().mails.length;

    expect((await service().post('/api/auth/resend-verification', { email })).status).to.equal(200);
    expect((await service().post('/api/auth/password-reset', { email })).status).to.equal(200);
    const verify = await service().post('/api/auth/verify-email', { email, code: '123456', password });
    expect(verify.status).to.equal(401);
    await stores().settled();
    const later = service()
      .mails.slice(mailed)
      .filter(({ to }) => to === email);
    expect(later.map(({ subject }) => subject)).to.satisfy((subjects: readonly string[]) =>
      subjects.every((subject) => subject.endsWith('account was deleted')),
    );
  });

  it('frees the email for a new account that begins from nothing', async () => {
    const { user, app } = await signUpWithFactor(service());
    await service().request('PATCH', '/api/auth/me', { token: user.token, body: { displayName: 'Ada' } });
    await remove(user, { password: user.password, verificationCode: app.fresh() });
    await stores().settled();
    const { email } = user;
    const password = 'another horse battery';
    const before = service().mails.filter(({ to }) => to === email).length;

    expect((await service().post('/api/auth/register', { email, password })).status).to.equal(201);
    expect((await logIn(service(), user)).status).to.equal(401);
    const code = await service().codeFor(email, before + 1);
    const { status, body } = await service().post('/api/auth/verify-email', { email, code, password });
    expect(status).to.equal(200);
    expect(body.user).to.deep.equal({ id: body.user?.id, email, displayName: null, avatar: null });
    expect(body.user?.id).not.to.equal(user.id);
    const { body: shown } = await service().request('GET', '/api/auth/me', { token: String(body.token) });
    expect(shown.user?.twoFactorEnabled).to.equal(false);
    expect((await logIn(service(), { email, password })).body).to.have.property('token');
    expect(await me(service(), user.token)).to.equal(401);
  });

  it('sends a farewell and nothing after it', async () => {
    const user = await removed();
    await stores().settled();

    const subjects = service()
      .mails.filter(({ to }) => to === user.email)
      .map(({ subject }) => subject);
    expect(subjects).to.deep.equal([
      'Your Gatehouse verification code',
      'Your Gatehouse account was deleted',
    ]);
  });

  it('leaves a tombstone without anything personal', async () => {
    const user = await service().signUp({ email: 'very.personal@example.com' });
    await service().request('PATCH', '/api/auth/me', { token: user.token, body: { displayName: 'Ada L.' } });
    await remove(user, { password: user.password });
    await stores().settled();
    const left = await stores().accounts.find(user.id);

    expect(left?.deletedAt).to.be.a('number');
    expect(left).to.include({ email: '', displayName: null, passwordHash: null, twoFactor: null });
    expect(left?.knownAddresses).to.deep.equal([]);
    expect(left?.pending).to.deep.equal([]);
    expect(JSON.stringify(left)).not.to.match(/personal|Ada L|scrypt/);
    expect(await stores().sessions.list(user.id)).to.deep.equal([]);
    expect(await stores().outbox.listFor(user.email)).to.deep.equal([]);
  });

  it('erases what the audit log says about the user, and the chain of the log stays whole', async () => {
    const user = await service().signUp();
    const newPassword = 'another horse battery';
    const { body } = await service().post(
      '/api/auth/password',
      { currentPassword: user.password, newPassword },
      { token: user.token },
    );
    await stores().settled();
    const before = await stores().audit.list(1, 100_000);
    const own = await stores().rowsOf(user.id);
    expect(own.map(({ content }) => JSON.parse(content ?? '{}').action)).to.deep.equal(['password.changed']);

    await remove({ ...user, token: String(body.token) }, { password: newPassword });
    await stores().settled();
    const after = await stores().audit.list(1, 100_000);
    expect(
      after.slice(0, before.length).map(({ number, digest, value }) => ({ number, digest, value })),
    ).to.deep.equal(before.map(({ number, digest, value }) => ({ number, digest, value })));
    for (const { number } of own) {
      const row = after.find((one) => one.number === number);
      expect([row?.content, row?.salt]).to.deep.equal([null, null]);
    }
    expect((await stores().audit.head())?.number).to.equal(after.length);
  });

  it('tells the product around it once', async () => {
    const user = await removed();
    await stores().settled();

    const told = service().events.filter(({ userId }) => userId === user.id);
    const deleted = told.filter(({ type }) => type === 'user.deleted');
    expect(new Set(deleted.map(({ id }) => id)).size).to.equal(1);
    expect(told.filter(({ type }) => type === 'session.revoked')).not.to.be.empty;
  });

  it('answers 200 to one of two that ask at once, and 200 or 401 to the other', async () => {
    const user = await service().signUp();
    const body = { password: user.password };
    const statuses = (await Promise.all([remove(user, body), remove(user, body)])).map(
      ({ status }) => status,
    );

    expect(statuses).to.include(200);
    expect(statuses.every((status) => status === 200 || status === 401)).to.equal(true);
    await stores().settled();
    const told = service().events.filter(({ userId, type }) => userId === user.id && type === 'user.deleted');
    expect(new Set(told.map(({ id }) => id)).size).to.equal(1);
  });
});
