import { expect } from 'chai';
import sinon from 'sinon';
import { unavailable } from '../../../../core/errors.ts';
import { createAccounts } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { caller, password, tokensIn } from '../open-core.ts';
import { usePeople } from '../use-people.ts';

const email = 'ada@example.com';

const down = () => unavailable('store_unavailable', 'Down.');

describe('A call that fails because a store or a key is unavailable', () => {
  const people = usePeople();
  afterEach(() => {
    sinon.restore();
  });

  /** Registers, and gives the code from the mail. */
  const register = async (): Promise<string> => {
    await people().accounts.register({ email, password }, caller);
    return people().codeTo(email);
  };

  for (const [name, stub] of [
    ['tokens.issue', () => sinon.stub(people().ports.tokens, 'issue')],
    ['sessions.findWithAccount', () => sinon.stub(people().ports.sessions, 'findWithAccount')],
  ] as const) {
    it(`spends no refresh token where ${name} fails`, async () => {
      const { refreshToken } = await people().signUp();
      const accounts = createAccounts(people().ports);
      const failing = stub().rejects(down());
      expect(await rejectionOf(() => accounts.refresh({ refreshToken }, caller))).to.include({
        kind: 'unavailable',
      });
      failing.restore();
      expect(await accounts.refresh({ refreshToken }, caller)).to.have.property('token');
    });
  }

  it('leaves the account as it was where the session cannot be written', async () => {
    const { account, logIn, ports, turnOnFactor } = people();
    const code = await register();
    const accounts = createAccounts(ports);
    let failing = sinon.stub(ports.sessions, 'add').rejects(down());
    expect(await rejectionOf(() => accounts.verifyEmail({ email, code }, caller))).to.include({
      kind: 'unavailable',
    });
    expect(await ports.accounts.findByEmail(email)).to.include({ verified: false });
    failing.restore();
    const { token, user } = tokensIn(await accounts.verifyEmail({ email, code }, caller));

    const { recoveryCodes } = await turnOnFactor({ who: () => accounts.authenticate(token) });
    const finish = () => logIn(email, { verificationCode: recoveryCodes[0] ?? '' });
    const remainingCodes = async () => (await account(user.id)).twoFactor?.recovery.length;
    failing = sinon.stub(ports.sessions, 'add').rejects(down());
    expect(await rejectionOf(finish)).to.include({ kind: 'unavailable' });
    expect(await remainingCodes()).to.equal(10);
    failing.restore();
    expect(await finish()).to.have.property('token');
    expect(await remainingCodes()).to.equal(9);
  });

  it('leaves no session behind where the account cannot be written', async () => {
    const code = await register();
    const { ports } = people();
    sinon.stub(ports.accounts, 'save').rejects(down());
    await rejectionOf(() => createAccounts(ports).verifyEmail({ email, code }, caller));
    const account = await ports.accounts.findByEmail(email);
    expect(await ports.sessions.list(account?.id ?? '')).to.deep.equal([]);
    expect(await ports.sessions.listEnded(10)).to.deep.equal([]);
  });
});
