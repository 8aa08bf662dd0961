import { expect } from 'chai';
import type { TwoFactorSetup } from '../../../../core/accounts/second-factor/configure-two-factor.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { codeAt } from '../../../servers/accounts/second-factor/factor.ts';
import { openAccounts } from '../open-accounts.ts';
import { caller } from '../open-core.ts';

describe('The QR code of a two-factor setup', () => {
  it('is made when the setup begins, and not again by a right or wrong confirmation', async () => {
    const calledNames: string[] = [];
    const { accounts, ports, signUp } = await openAccounts({}, ({ totp }) => ({
      totp: new Proxy(totp, {
        get: (target, name) => {
          calledNames.push(String(name));
          return Reflect.get(target, name);
        },
      }),
    }));
    const principal = await (await signUp()).principal();
    const { secret, qrCode } = (await accounts.configureTwoFactor(
      principal,
      { enable: true },
      caller,
    )) as TwoFactorSetup;
    expect(qrCode).to.match(/^data:image\/png/);
    calledNames.length = 0;
    const verificationCode = codeAt(secret, ports.clock.now());
    const confirm = (typedSecret: string) =>
      accounts.configureTwoFactor(principal, { enable: true, verificationCode, secret: typedSecret }, caller);
    expect(await rejectionOf(() => confirm(secret.toLowerCase()))).to.include({ kind: 'invalid' });
    expect(await confirm(secret)).to.include({ success: true });
    expect([...new Set(calledNames)].toSorted()).to.deep.equal(['base32', 'step']);
  });
});
