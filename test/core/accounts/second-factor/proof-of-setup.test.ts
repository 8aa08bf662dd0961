import { expect } from 'chai';
import type { TwoFactorSetup } from '../../../../core/accounts/second-factor/configure-two-factor.ts';
import { writeProof } from '../../../../core/accounts/sessions/change-session.ts';
import { codeAt } from '../../../servers/accounts/second-factor/factor.ts';
import { caller } from '../open-core.ts';
import { openPeople } from '../use-people.ts';

describe('The confirmation of a second factor', () => {
  it('adds the factor to the newest proof of the session, not to the one it was begun with', async () => {
    const { accounts, ports, signUp } = await openPeople();
    const principal = await (await signUp()).who();
    const { secret } = (await accounts.configureTwoFactor(
      principal,
      { enable: true },
      caller,
    )) as TwoFactorSetup;

    // Another tab proves meanwhile.
    const authenticatedAt = principal.session.authenticatedAt + 60_000;
    const key = { userId: principal.user.id, id: principal.session.id };
    await writeProof(ports, key, () => ({ authenticatedAt, methods: ['password'] }));

    const verificationCode = codeAt(secret, ports.clock.now());
    await accounts.configureTwoFactor(principal, { enable: true, secret, verificationCode }, caller);
    expect(await ports.sessions.find(key.userId, key.id)).to.deep.include({
      authenticatedAt,
      methods: ['password', 'totp'],
    });
  });
});
