import { expect } from 'chai';
import type { TwoFactorSetup } from '../../../../core/accounts/second-factor/configure-two-factor.ts';
import { createAccounts } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { codeAt } from '../../../servers/accounts/second-factor/factor.ts';
import { caller, openPorts } from '../open-core.ts';

const email = 'ada@example.com';
const password = 'correct horse battery';

describe('The QR code of a second factor', () => {
  it('is made when the setup begins and not again to confirm it, rightly or wrongly', async () => {
    const core = openPorts();
    const called: string[] = [];
    const totp = new Proxy(core.ports.totp, {
      get: (target, name) => {
        called.push(String(name));
        return Reflect.get(target, name);
      },
    });
    const accounts = createAccounts({ ...core.ports, totp });
    await accounts.register({ email, password }, caller);
    await accounts.background.relay();
    await accounts.background.deliverMail(1);
    const code = /\b\d{6}\b/.exec(core.mails.at(-1)?.text ?? '')?.[0] ?? '';
    const { token } = await accounts.verifyEmail({ email, code }, caller);
    const who = await accounts.authenticate(token);
    const { secret, qrCode } = (await accounts.configureTwoFactor(
      who,
      { enable: true },
      caller,
    )) as TwoFactorSetup;
    expect(qrCode).to.match(/^data:image\/png/);
    called.length = 0;
    const verificationCode = codeAt(secret, core.ports.clock.now());
    const confirm = (typedSecret: string) =>
      accounts.configureTwoFactor(who, { enable: true, verificationCode, secret: typedSecret }, caller);
    expect(await rejectionOf(() => confirm(secret.toLowerCase()))).to.include({ kind: 'invalid' });
    expect(await confirm(secret)).to.include({ success: true });
    expect([...new Set(called)].toSorted()).to.deep.equal(['base32', 'step']);
  });
});
