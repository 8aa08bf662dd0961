import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { signUpWithFactor } from '../second-factor/factor.ts';

const ADDRESS = '203.0.113.78';
const newPassword = 'another horse battery';

describe('The log of calls of signed-in users', () => {
  const service = useService({ TRUSTED_PROXIES: '127.0.0.1' });
  // A refresh token that is reused within ten seconds does not count as stolen.
  before(() => service().clock.stop());

  let calls = 0;
  /** Calls with a request id of its own, and expects these events of the call with the user and the address. */
  const expectLogged = async (
    events: readonly string[],
    { id, token }: Partial<Pick<User, 'id' | 'token'>>,
    path: string,
    body: unknown,
  ) => {
    calls += 1;
    const requestId = `signed-in-${calls}`;
    const headers = { 'X-Forwarded-For': ADDRESS, 'X-Request-Id': requestId };
    const request = { headers, ...(token === undefined ? {} : { token }) };
    await service().post(`/api/auth/${path}`, body, request);
    const lines = service().log.lines.filter(({ fields }) => fields.requestId === requestId);
    expect(lines.map(({ event }) => event)).to.deep.equal(events);
    for (const { fields } of lines) expect([fields.userId, fields.address]).to.deep.equal([id, ADDRESS]);
    return lines.at(-1)?.fields.factors;
  };

  it('has a line for each wrong two-factor code and each lockout, on every route with codes', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { email, password } = user;
    const verificationCode = app.wrong();
    const codeCalls: readonly (readonly [path: string, body: object])[] = [
      ['login', { email, password, verificationCode }],
      ['2fa', { enable: false, verificationCode }],
      ['2fa/recovery-codes', { verificationCode }],
      ['password', { currentPassword: password, newPassword, verificationCode }],
      ['delete-account', { password, verificationCode }],
    ];

    for (const [path, body] of codeCalls) await expectLogged(['two_factor.failed'], user, path, body);
    for (const [path, body] of codeCalls) await expectLogged(['two_factor.held'], user, path, body);
  });

  it('has a line with the factors for each step of a login with a second factor', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { id, email, password } = user;
    const login = { email, password };

    expect(await expectLogged(['sign_in.challenged'], { id }, 'login', login)).to.deep.equal(['password']);
    const byCode = { ...login, verificationCode: app.fresh() };
    expect(await expectLogged(['sign_in.succeeded'], { id }, 'login', byCode)).to.deep.equal([
      'password',
      'totp',
    ]);
    const byRecovery = { ...login, verificationCode: app.recoveryCodes[0] };
    const factors = await expectLogged(['sign_in.succeeded'], { id }, 'login', byRecovery);
    expect(factors).to.deep.equal(['password', 'recovery']);
  });

  it('has a line for each proof, failed proof and missing proof', async () => {
    const user = await service().signUp();
    const right = await expectLogged(['proof.succeeded'], user, 'reauthenticate', {
      password: user.password,
    });
    expect(right).to.deep.equal(['password']);
    await expectLogged(['password.wrong', 'proof.failed'], user, 'reauthenticate', { password: 'wrong' });
    await expectLogged([], user, 'reauthenticate', {});
    service().clock.advance(11 * 60_000);
    await expectLogged(['access.refused'], user, '2fa', { enable: true });
  });

  it('has a line for each wrong password and each lockout', async () => {
    const user = await service().signUp();
    const change = { currentPassword: 'a wrong one', newPassword };

    await expectLogged(['password.wrong'], user, 'password', change);
    await expectLogged(['password.wrong'], user, 'delete-account', { password: 'a wrong one' });
    for (let time = 0; time < 98; time += 1) {
      await expectLogged(['password.wrong'], user, 'password', change);
    }
    await expectLogged(['password.held'], user, 'password', change);
    await expectLogged(['password.held'], user, 'delete-account', { password: user.password });
  });

  it('has a line for each wrong reset code, of known and unknown emails', async () => {
    const { id, email } = await service().signUp();
    const body = { code: '00000-00000', newPassword };

    await expectLogged(['password.reset_failed'], { id }, 'password-reset/confirm', { ...body, email });
    const unknown = { ...body, email: 'nobody@example.com' };
    await expectLogged(['password.reset_failed'], {}, 'password-reset/confirm', unknown);
  });

  it('has a line for each refresh, each failed refresh and each stolen session', async () => {
    const { id, refreshToken } = await service().signUp();

    await expectLogged(['session.refreshed'], { id }, 'refresh', { refreshToken });
    await expectLogged(['session.refresh_failed'], { id }, 'refresh', { refreshToken });
    await expectLogged(['session.refresh_failed'], {}, 'refresh', { refreshToken: 'garbage' });
    service().clock.advance(11_000);
    await expectLogged(['session.stolen', 'session.refresh_failed'], { id }, 'refresh', { refreshToken });
  });

  it('has a line for each change of the password, the second factor or the account', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { password } = user;
    const code = () => ({ verificationCode: app.fresh() });

    await expectLogged(['two_factor.recovery_codes_made'], user, '2fa/recovery-codes', code());
    await expectLogged(['two_factor.off'], user, '2fa', { enable: false, ...code() });
    await expectLogged(['password.changed'], user, 'password', { currentPassword: password, newPassword });
    const again = await service().post('/api/auth/login', { email: user.email, password: newPassword });
    const now = { ...user, token: String(again.body.token) };
    await expectLogged(['account.deleted'], now, 'delete-account', { password: newPassword });
    const other = await service().signUp();
    await expectLogged(['session.logged_out'], other, 'logout', undefined);
  });
});
