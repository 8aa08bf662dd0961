import { expect } from 'chai';
import { type Reply, useService } from '../../../support/service.ts';

describe('A password made of what a stranger knows', () => {
  const service = useService({ PRODUCT_NAME: 'Quicksilver Vault' });
  const OWN = [
    'lovelace',
    'LOVELACE1!',
    'byron-estate',
    'byronestate_2026',
    'Zephyrine',
    'QuicksilverVault',
    'vault123',
  ];
  const email = 'lovelace@byron-estate.example';
  const displayName = 'The Zephyrine';

  const expectCommon = ({ status, body }: Reply, password: string) =>
    expect([status, body.code], password).to.deep.equal([400, 'password_too_common']);

  it('is taken for no account: not at sign-up, by a reset or by a change', async () => {
    const register = (password: string) =>
      service().post('/api/auth/register', { email, password, displayName });
    for (const password of OWN) expectCommon(await register(password), password);
    expect((await register('analytical engine')).status).to.equal(201);
    const code = await service().codeFor(email);
    const { body } = await service().post('/api/auth/verify-email', { email, code });
    const token = String(body.token);

    for (const newPassword of OWN) {
      const given = { currentPassword: 'analytical engine', newPassword };
      expectCommon(await service().post('/api/auth/password', given, { token }), newPassword);
    }

    await service().post('/api/auth/password-reset', { email });
    const { text } = await service().mailTo(email, 2);
    const reset = /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(text)?.[0];
    const confirm = (newPassword: string) =>
      service().post('/api/auth/password-reset/confirm', { email, code: reset, newPassword });
    for (const newPassword of OWN) expectCommon(await confirm(newPassword), newPassword);
    expect((await confirm('difference engine')).status).to.equal(200);
  });

  it('tells nobody without the code what the name of an account is', async () => {
    const given = { email, code: '00000-00000', newPassword: 'zephyrine1' };
    const { status, body } = await service().post('/api/auth/password-reset/confirm', given);
    expect([status, body.code]).to.deep.equal([401, 'invalid_code']);
  });

  it('is good for somebody else', async () => {
    const given = { email: 'ada@example.com', password: 'zephyrine1' };
    expect((await service().post('/api/auth/register', given)).status).to.equal(201);
  });
});
