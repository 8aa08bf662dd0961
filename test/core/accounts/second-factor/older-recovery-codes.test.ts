import { expect } from 'chai';
import { totpContext } from '../../../../core/accounts/second-factor/check-second-factor.ts';
import { codeDigest } from '../../../../core/accounts/typed-codes.ts';
import { createAccounts } from '../../../../core/index.ts';
import { sampleAccount } from '../../../contracts/samples.ts';
import { caller, openPorts } from '../open-core.ts';

describe('A recovery code of 16 characters, from before they had 24', () => {
  it('stays valid, once', async () => {
    const core = openPorts();
    const { accounts, digest, kms } = core.ports;
    const account = sampleAccount('ada');
    const { id, email } = account;
    await accounts.add({
      ...account,
      verified: true,
      passwordHash: 'hash of correct horse battery',
      twoFactor: {
        secret: await kms.seal(new Uint8Array(20), totpContext(id)),
        lastStep: 0,
        recovery: [codeDigest(digest, 'recovery', id, '7K3MQ9XZT4RBWC2N')],
        usedRecovery: [],
        wrongInRow: 0,
        heldUntil: null,
        wrongToday: null,
      },
    });
    const { logIn } = createAccounts(core.ports);
    const input = { email, password: 'correct horse battery', verificationCode: '7k3m-q9xz-t4rb-wc2n' };
    expect(await logIn(input, caller)).to.have.property('token');
    expect(await logIn(input, caller).catch((error: unknown) => error)).to.include({
      code: 'invalid_two_factor_code',
    });
  });
});
