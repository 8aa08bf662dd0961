import { expect } from 'chai';
import { type Reply, type User, useService } from '../../../support/service.ts';
import { beginFactor, logIn, signUpWithFactor } from './factor.ts';

const outcome = ({ status, body }: Reply) => [status, body.code];

describe('The setup of two-factor authentication', () => {
  const service = useService();
  const twoFactor = ({ token }: Pick<User, 'token'>, body: unknown) =>
    service().post('/api/auth/2fa', body, { token });
  const isOn = async ({ token }: Pick<User, 'token'>) =>
    (await service().request('GET', '/api/auth/me', { token })).body.user?.twoFactorEnabled;

  it('returns a QR code as PNG, the secret, and the secret in groups of four', async () => {
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

  it('is completed by a right code with the secret, and returns ten recovery codes', async () => {
    const user = await service().signUp();
    const app = await beginFactor(service(), user);
    const confirm = { enable: true, verificationCode: app.code(), secret: app.secret };
    for (const [body, code] of [
      [{ enable: true, verificationCode: app.code() }, 'code_required'],
      [{ enable: true, secret: app.secret }, 'code_required'],
      [{ ...confirm, verificationCode: app.wrong() }, 'invalid_two_factor_code'],
    ] as const)
      expect(outcome(await twoFactor(user, body))).to.deep.equal([400, code]);
    const off = await twoFactor(user, { enable: false, verificationCode: app.code() });
    expect(outcome(off)).to.deep.equal([409, 'two_factor_off']);

    const confirmed = await twoFactor(user, confirm);
    expect(confirmed.status).to.equal(200);
    expect(confirmed.body).to.have.all.keys('success', 'recoveryCodes');
    expect(confirmed.body.success).to.equal(true);
    expect(new Set(confirmed.body.recoveryCodes as unknown as string[]).size).to.equal(10);
    expect(await isOn(user)).to.equal(true);
    for (const body of [{ enable: true }, { ...confirm, verificationCode: app.fresh() }])
      expect(outcome(await twoFactor(user, body))).to.deep.equal([409, 'two_factor_on']);
  });

  it('is undone by a right code, and a login then requires the password alone', async () => {
    const { user, app } = await signUpWithFactor(service());

    expect(outcome(await twoFactor(user, { enable: false }))).to.deep.equal([400, 'code_required']);
    const wrong = await twoFactor(user, { enable: false, verificationCode: app.wrong() });
    expect(outcome(wrong)).to.deep.equal([400, 'invalid_two_factor_code']);
    const off = await twoFactor(user, { enable: false, verificationCode: app.fresh() });
    expect(off.status).to.equal(200);
    expect(off.body).to.deep.equal({ success: true });
    expect(await isOn(user)).to.equal(false);
    expect((await logIn(service(), user)).body).to.have.property('token');
  });
});
