import { expect } from 'chai';
import { type Accounts, type AccountsPorts, createAccounts } from '../../../../core/index.ts';
import { sampleAccount } from '../../../contracts/samples.ts';
import { until } from '../../../support/until.ts';
import { caller, openPorts } from '../open-core.ts';

const PASSWORD = 'correct horse';

describe('A login with a hash of other parameters', () => {
  let opened: ReturnType<typeof openPorts>;
  let accounts: Accounts;
  let ports: AccountsPorts;
  let isDearer: boolean;
  /** Ends the hash that was asked for, or fails it. */
  let asked: { end(hash: string): void; fail(error: Error): void }[];

  beforeEach(async () => {
    opened = openPorts();
    asked = [];
    isDearer = false;
    ports = {
      ...opened.ports,
      hasher: {
        hash: () => new Promise((resolve, reject) => asked.push({ end: resolve, fail: reject })),
        verify: async (password, hash) => ({ right: password === PASSWORD, weak: hash === 'old hash' }),
        accepts: () => true,
        isDearer: () => isDearer,
      },
    };
    accounts = createAccounts(ports);
    await accounts.begin();
    await ports.accounts.add(sampleAccount('ada', { verified: true, passwordHash: 'old hash' }));
  });

  const logIn = () => accounts.logIn({ email: 'ada@example.com', password: PASSWORD }, caller);
  const hashNow = async () => (await ports.accounts.find('ada'))?.passwordHash;
  const hashed = async () => {
    await until(() => asked.length > 0, 5_000);
    const [first] = asked.splice(0, 1);
    if (first === undefined) throw new Error('No hash was asked for.');
    return first;
  };

  it('answers before the password is hashed anew', async () => {
    expect(await logIn()).to.have.property('token');
    expect(await hashNow()).to.equal('old hash');
    (await hashed()).end('new hash');
    await until(async () => (await hashNow()) === 'new hash', 5_000);
  });

  it('answers after that where the hash is dearer than ours', async () => {
    isDearer = true;
    let answered = false;
    const login = logIn().then(() => {
      answered = true;
    });
    const hash = await hashed();
    expect(answered).to.equal(false);
    hash.end('new hash');
    await login;
    expect(await hashNow()).to.equal('new hash');
  });

  it('is a login also where the password cannot be hashed, and says so in the log', async () => {
    isDearer = true;
    const login = logIn();
    (await hashed()).fail(new Error('no turn'));
    expect(await login).to.have.property('token');
    expect(await hashNow()).to.equal('old hash');
  });

  it('leaves a password as it is that was changed meanwhile', async () => {
    isDearer = true;
    const login = logIn();
    const hash = await hashed();
    const account = await ports.accounts.find('ada');
    if (account === undefined) throw new Error('The account is gone.');
    await ports.accounts.save({ ...account, passwordHash: 'of another password' });
    hash.end('new hash');
    await login;
    expect(await hashNow()).to.equal('of another password');
  });

  it('with a wrong password hashes nothing anew', async () => {
    const wrong = { email: 'ada@example.com', password: 'a wrong one' };
    expect(await accounts.logIn(wrong, caller).catch(({ code }: { code: string }) => code)).to.equal(
      'wrong_credentials',
    );
    expect(asked).to.have.length(0);
  });
});
