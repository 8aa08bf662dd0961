import { expect } from 'chai';
import { codeDigest } from '../../../../core/accounts/codes.ts';
import { type Accounts, type AccountsPorts, createAccounts } from '../../../../core/index.ts';
import { sampleAccount, sampleTwoFactor } from '../../../contracts/samples.ts';
import { until } from '../../../support/until.ts';
import { caller, openPorts } from '../open-core.ts';

const PASSWORD = 'correct horse';

describe('A sign-in with a hash of outdated parameters', () => {
  let core: ReturnType<typeof openPorts>;
  let accounts: Accounts;
  let ports: AccountsPorts;
  let isCostlier: boolean;
  /** The pending hash requests, which tests complete or fail. */
  let requests: { end(hash: string): void; fail(error: Error): void }[];

  beforeEach(async () => {
    core = openPorts();
    requests = [];
    isCostlier = false;
    ports = {
      ...core.ports,
      hasher: {
        hash: () => new Promise((resolve, reject) => requests.push({ end: resolve, fail: reject })),
        verify: async (password, hash) => ({
          isCorrect: password === PASSWORD,
          isOutdated: hash === 'old hash',
        }),
        accepts: () => true,
        measureVerification: async () => () => 0,
        isCostlier: () => isCostlier,
      },
    };
    accounts = createAccounts(ports);
    await accounts.open();
    await ports.accounts.add(sampleAccount('ada', { verified: true, passwordHash: 'old hash' }));
  });

  const logIn = (more: { readonly verificationCode?: string } = {}) =>
    accounts.logIn({ email: 'ada@example.com', password: PASSWORD, ...more }, caller);
  const storedHash = async () => (await ports.accounts.find('ada'))?.passwordHash;
  const nextRequest = async () => {
    await until(() => requests.length > 0);
    const [first] = requests.splice(0, 1);
    if (first === undefined) throw new Error('No hash was requested.');
    return first;
  };

  it('returns before the password is hashed again', async () => {
    expect(await logIn()).to.have.property('token');
    expect(await storedHash()).to.equal('old hash');
    (await nextRequest()).end('new hash');
    await until(async () => (await storedHash()) === 'new hash');
  });

  it('returns after the password is hashed again if the old hash is costlier', async () => {
    isCostlier = true;
    let hasReturned = false;
    const signIn = logIn().then(() => {
      hasReturned = true;
    });
    const request = await nextRequest();
    expect(hasReturned).to.equal(false);
    request.end('new hash');
    await signIn;
    expect(await storedHash()).to.equal('new hash');
  });

  it('succeeds even if the password cannot be hashed again', async () => {
    isCostlier = true;
    const signIn = logIn();
    (await nextRequest()).fail(new Error('no turn'));
    expect(await signIn).to.have.property('token');
    expect(await storedHash()).to.equal('old hash');
  });

  it('hashes the password again only after both factors are proved', async () => {
    isCostlier = true;
    const account = await ports.accounts.find('ada');
    if (account === undefined) throw new Error('The account does not exist.');
    const recovery = [codeDigest(ports.digest, 'recovery', 'ada', '7K3MQ9XZT4RBWC2N')];
    await ports.accounts.save({ ...account, twoFactor: { ...sampleTwoFactor, secret: null, recovery } });
    expect(await logIn()).to.have.property('requires2FA', true);
    expect(requests).to.have.length(0);
    const signIn = logIn({ verificationCode: '7K3M-Q9XZ-T4RB-WC2N' });
    (await nextRequest()).end('new hash');
    expect(await signIn).to.have.property('token');
    expect(await storedHash()).to.equal('new hash');
  });

  it('keeps a password that was changed meanwhile', async () => {
    isCostlier = true;
    const signIn = logIn();
    const request = await nextRequest();
    const account = await ports.accounts.find('ada');
    if (account === undefined) throw new Error('The account does not exist.');
    await ports.accounts.save({ ...account, passwordHash: 'of another password' });
    request.end('new hash');
    await signIn;
    expect(await storedHash()).to.equal('of another password');
  });

  it('does not hash a wrong password again', async () => {
    const wrong = { email: 'ada@example.com', password: 'a wrong one' };
    expect(await accounts.logIn(wrong, caller).catch(({ code }: { code: string }) => code)).to.equal(
      'wrong_credentials',
    );
    expect(requests).to.have.length(0);
  });
});
