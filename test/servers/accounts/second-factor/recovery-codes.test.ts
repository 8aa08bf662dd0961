import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { logIn, signUpWithFactor } from './factor.ts';

describe('Recovery codes', () => {
  const service = useService();
  const renew = ({ token }: User, verificationCode: string) =>
    service().post('/api/auth/2fa/recovery-codes', { verificationCode }, { token });

  it('are invalid once new codes are generated', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { status, body } = await renew(user, app.fresh());
    const newCodes = Array.from(body.recoveryCodes as unknown as string[]);

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('recoveryCodes');
    expect(newCodes).to.have.length(10);
    const logins = [app, { recoveryCodes: newCodes }].map(({ recoveryCodes: [verificationCode = ''] }) =>
      logIn(service(), user, { verificationCode }),
    );
    expect((await Promise.all(logins)).map(({ status }) => status)).to.deep.equal([401, 200]);
  });

  it('are not generated for a wrong code, or if two-factor authentication is off', async () => {
    const { user, app } = await signUpWithFactor(service());

    const wrong = await renew(user, app.wrong());
    expect([wrong.status, wrong.body.code]).to.deep.equal([401, 'invalid_two_factor_code']);
    const off = await renew(await service().signUp(), '123456');
    expect([off.status, off.body.code]).to.deep.equal([409, 'two_factor_off']);
  });
});
