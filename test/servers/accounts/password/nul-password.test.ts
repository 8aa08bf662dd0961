import { expect } from 'chai';
import type { AnyRoute } from '../../../../servers/http/route.ts';
import { useService } from '../../../support/service.ts';
import { allSignInMethods, everyRoute } from '../every-route.ts';

const NUL = 'correct\0horse battery';
const PASSWORD_FIELDS = ['password', 'currentPassword', 'newPassword'];

describe('A password with NUL in it', () => {
  const { settings, own } = allSignInMethods();
  const service = useService(settings, own);

  const send = async (path: string, body: object, token?: string) => {
    const reply = await service().post(path, body, token === undefined ? {} : { token });
    return [reply.status, reply.body.code];
  };
  const refused = [400, 'password_not_allowed'];

  it('is refused with `password_not_allowed` on every route that accepts a password', async () => {
    const email = 'waits@example.com';
    await service().post('/api/auth/register', { email, password: 'correct horse battery' });
    const code = await service().codeFor(email);
    const { token, email: verifiedEmail } = await service().signUp();
    const [current, next] = ['correct horse battery', 'another horse battery'];

    expect(await send('/api/auth/register', { email: 'new@example.com', password: NUL })).to.deep.equal(
      refused,
    );
    expect(await send('/api/auth/verify-email', { email, code, password: NUL })).to.deep.equal(refused);
    expect(await send('/api/auth/login', { email: verifiedEmail, password: NUL })).to.deep.equal(refused);
    const reset = { email: verifiedEmail, code: '00000-00000', newPassword: NUL };
    expect(await send('/api/auth/password-reset/confirm', reset)).to.deep.equal(refused);
    for (const [currentPassword, newPassword] of [
      [NUL, next],
      [current, NUL],
    ]) {
      expect(await send('/api/auth/password', { currentPassword, newPassword }, token)).to.deep.equal(
        refused,
      );
    }
    expect(await send('/api/auth/delete-account', { password: NUL }, token)).to.deep.equal(refused);
    expect(await send('/api/auth/reauthenticate', { password: NUL }, token)).to.deep.equal(refused);
    expect(await send('/api/auth/2fa', { enable: true, password: NUL }, token)).to.deep.equal(refused);
  });

  it('is a documented refusal of each of these routes', () => {
    const passwordRoutes = everyRoute(service()).filter(({ body }: AnyRoute) =>
      PASSWORD_FIELDS.some((name) => Object.hasOwn(body?.properties ?? {}, name)),
    );
    expect(passwordRoutes).to.have.lengthOf(8);
    for (const { path, answers } of passwordRoutes)
      expect(answers[400]?.errors, path).to.include('password_not_allowed');
  });
});
