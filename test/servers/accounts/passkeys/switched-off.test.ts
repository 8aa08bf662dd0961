import { expect } from 'chai';
import { useService } from '../../../support/service.ts';
import { logIn, signUpWithFactor } from '../second-factor/factor.ts';
import { makePasskeyCalls, outcome } from './passkey-calls.ts';

describe('A service without passkeys', () => {
  const service = useService();
  const { post } = makePasskeyCalls(service);

  it('answers 404 on the routes of passkeys, with and without a session', async () => {
    const { token } = await service().signUp();
    for (const [method, path] of [
      ['POST', '/api/auth/passkeys/begin'],
      ['POST', '/api/auth/passkeys'],
      ['GET', '/api/auth/passkeys'],
      ['PATCH', '/api/auth/passkeys/x'],
      ['DELETE', '/api/auth/passkeys/x'],
      ['POST', '/api/auth/login/passkey/begin'],
      ['POST', '/api/auth/login/passkey'],
      ['POST', '/api/auth/login/second/begin'],
      ['POST', '/api/auth/2fa/passkey'],
      ['POST', '/api/auth/reauthenticate/passkey/begin'],
      ['GET', '/.well-known/webauthn'],
    ] as const)
      for (const request of [{}, { token }])
        expect((await service().request(method, path, request)).status, path).to.equal(404);
  });

  it('offers no passkey at login, and refuses one as second factor', async () => {
    const { user } = await signUpWithFactor(service());
    const { body } = await logIn(service(), user);
    expect(body).to.have.all.keys('user', 'requires2FA', 'pendingToken', 'message');
    const passkey = { flow: 'x', credential: {} };
    const second = { email: user.email, pendingToken: body.pendingToken, passkey };
    expect(outcome(await post('login', second))).to.deep.equal([401, 'invalid_passkey']);
  });
});
