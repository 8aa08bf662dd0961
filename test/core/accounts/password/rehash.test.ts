import { expect } from 'chai';
import { codeDigest } from '../../../../core/accounts/codes.ts';
import { type Accounts, type AccountsPorts, createAccounts } from '../../../../core/index.ts';
import { sampleAccount, sampleTwoFactor } from '../../../contracts/samples.ts';
import { until } from '../../../support/until.ts';
import { caller, openPorts } from '../open-core.ts';

const PASSWORD = 'correct horse';

describe('A sign-in with a hash of other parameters', () => {
  let core: ReturnType<typeof openPorts>;
  let accounts: Accounts;
  let ports: AccountsPorts;
  let isCostlier: boolean;
  /** The hashes that were requested, to be completed or failed. */
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
  const hashNow = async () => (await ports.accounts.find('ada'))?.passwordHash;
  const hashed = async () => {
    await until(() => requests.length > 0);
    const [first] = requests.splice(0, 1);
    if (first === undefined) throw new Error('No hash was asked for.');
    return first;
  };

  it('answers before the password is hashed again', async () => {
    expect(await logIn()).to.have.property('token');
    expect(await hashNow()).to.equal('old hash');
    (await hashed()).end('new hash');
    await until(async () => (await hashNow()) === 'new hash');
  });

  it('answers after that where the hash is costlier than a new one', async () => {
    isCostlier = true;
    let hasAnswered = false;
    const login = logIn().then(() => {
      hasAnswered = true;
    });
    const hash = await hashed();
    expect(hasAnswered).to.equal(false);
    hash.end('new hash');
    await login;
    expect(await hashNow()).to.equal('new hash');
  });

  it('succeeds even if the password cannot be hashed', async () => {
    isCostlier = true;
    const login = logIn();
    (await hashed()).fail(new Error('no turn'));
    expect(await login).to.have.property('token');
    expect(await hashNow()).to.equal('old hash');
  });

  it('hashes again only once both factors are proved', async () => {
    isCostlier = true;
    const account = await ports.accounts.find('ada');
    if (account === undefined) throw new Error('The account is gone.');
    const recovery = [codeDigest(ports.digest, 'recovery', 'ada', '7K3MQ9XZT4RBWC2N')];
    await ports.accounts.save({ ...account, twoFactor: { ...sampleTwoFactor, secret: null, recovery } });
    expect(await logIn()).to.have.property('requires2FA', true);
    expect(requests).to.have.length(0);
    const login = logIn({ verificationCode: '7K3M-Q9XZ-T4RB-WC2N' });
    (await hashed()).end('new hash');
    expect(await login).to.have.property('token');
    expect(await hashNow()).to.equal('new hash');
  });

  it('leaves a password that was changed meanwhile', async () => {
    isCostlier = true;
    const login = logIn();
    const hash = await hashed();
    const account = await ports.accounts.find('ada');
    if (account === undefined) throw new Error('The account is gone.');
    await ports.accounts.save({ ...account, passwordHash: 'of another password' });
    hash.end('new hash');
    await login;
    expect(await hashNow()).to.equal('of another password');
  });

  it('hashes nothing again for a wrong password', async () => {
    const wrong = { email: 'ada@example.com', password: 'a wrong one' };
    expect(await accounts.logIn(wrong, caller).catch(({ code }: { code: string }) => code)).to.equal(
      'wrong_credentials',
    );
    expect(requests).to.have.length(0);
  });
});
