import { expect } from 'chai';
import type { TwoFactorSetup } from '../../../../core/accounts/second-factor/configure-two-factor.ts';
import { makeWriteProof } from '../../../../core/accounts/sessions/change-session.ts';
import { createAccounts } from '../../../../core/index.ts';
import { codeAt } from '../../../servers/accounts/second-factor/factor.ts';
import { caller, openPorts } from '../open-core.ts';

const email = 'ada@example.com';
const password = 'correct horse battery';

describe('The confirmation of a second factor', () => {
  it('adds the factor to the newest proof of the session, not to the one it was begun with', async () => {
    const { ports, mails } = openPorts();
    const accounts = createAccounts(ports);
    await accounts.register({ email, password }, caller);
    await accounts.background.relay();
    await accounts.background.deliverMail(1);
    const code = /\b\d{6}\b/.exec(mails.at(-1)?.text ?? '')?.[0] ?? '';
    const { token } = await accounts.verifyEmail({ email, code }, caller);
    const principal = await accounts.authenticate(token);
    const { secret } = (await accounts.configureTwoFactor(
      principal,
      { enable: true },
      caller,
    )) as TwoFactorSetup;

    // Another tab proves meanwhile.
    const authenticatedAt = principal.session.authenticatedAt + 60_000;
    const key = { userId: principal.user.id, id: principal.session.id };
    await makeWriteProof(ports)(key, () => ({ authenticatedAt, methods: ['password'] }));

    const verificationCode = codeAt(secret, ports.clock.now());
    await accounts.configureTwoFactor(principal, { enable: true, secret, verificationCode }, caller);
    expect(await ports.sessions.find(key.userId, key.id)).to.deep.include({
      authenticatedAt,
      methods: ['password', 'totp'],
    });
  });
});
