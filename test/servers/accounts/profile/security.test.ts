import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { makePasskeyCalls, PASSKEYS_ON } from '../passkeys/passkey-calls.ts';
import { logIn, signUpWithFactor } from '../second-factor/factor.ts';

describe('The security overview of an account', () => {
  const service = useService(PASSKEYS_ON);
  const passkeys = makePasskeyCalls(() => service());
  const show = async ({ token }: Pick<User, 'token'>) => {
    const { status, body } = await service().request('GET', '/api/auth/security', { token });
    expect(status).to.equal(200);
    return body as unknown as Record<string, unknown>;
  };

  it('shows a password and nothing else for a new account', async () => {
    expect(await show(await service().signUp())).to.deep.equal({
      hasPassword: true,
      passwordChangedAt: null,
      twoFactor: { on: false, recoveryCodesLeft: null, heldUntil: null },
      passkeys: [],
      providers: [],
    });
  });

  it('shows when the password was changed', async () => {
    const user = await service().signUp();
    const before = service().clock.now();
    const body = { currentPassword: user.password, newPassword: 'another horse battery' };
    const { body: changed } = await service().post('/api/auth/password', body, { token: user.token });
    const { passwordChangedAt } = await show({ token: String(changed.token) });

    expect(Date.parse(String(passwordChangedAt))).to.be.within(before, service().clock.now());
  });

  it('counts the unused recovery codes, and shows when the lockout of codes ends', async () => {
    const { user, app } = await signUpWithFactor(service());
    await logIn(service(), user, { verificationCode: app.recoveryCodes[0] ?? '' });
    expect((await show(user)).twoFactor).to.deep.equal({ on: true, recoveryCodesLeft: 9, heldUntil: null });

    for (let tries = 0; tries < 5; tries += 1)
      await logIn(service(), user, { verificationCode: app.wrong() });
    const { heldUntil } = (await show(user)).twoFactor as { readonly heldUntil: string };
    expect(Date.parse(heldUntil)).to.be.above(service().clock.now());
    service().clock.advance(Date.parse(heldUntil) - service().clock.now() + 1);
    expect((await logIn(service(), user, { verificationCode: app.fresh() })).status).to.equal(200);
  });

  it('lists passkeys without their credential ids', async () => {
    const user = await service().signUp();
    const { id } = await passkeys.add(user);
    const [listed, ...others] = (await show(user)).passkeys as readonly Record<string, unknown>[];

    expect(others).to.deep.equal([]);
    expect(listed).to.have.all.keys('id', 'name', 'createdAt', 'lastUsedAt', 'backedUp');
    expect(listed).to.include({ id, lastUsedAt: null });
  });
});
