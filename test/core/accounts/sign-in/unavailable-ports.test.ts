import { expect } from 'chai';
import sinon from 'sinon';
import { unavailable } from '../../../../core/errors.ts';
import { createAccounts } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { useAccounts } from '../open-accounts.ts';
import { caller, password, tokensIn } from '../open-core.ts';

const email = 'ada@example.com';

const down = () => unavailable('store_unavailable', 'Down.');

describe('A call that fails because a port is unavailable', () => {
  const core = useAccounts();
  afterEach(() => {
    sinon.restore();
  });

  /** Registers, and returns the mailed code. */
  const register = async (): Promise<string> => {
    await core().accounts.register({ email, password }, caller);
    return core().codeTo(email);
  };

  for (const [name, stub] of [
    ['tokens.issue', () => sinon.stub(core().ports.tokens, 'issue')],
    ['sessions.findWithAccount', () => sinon.stub(core().ports.sessions, 'findWithAccount')],
  ] as const) {
    it(`does not spend the refresh token if ${name} fails`, async () => {
      const { refreshToken } = await core().signUp();
      const accounts = createAccounts(core().ports);
      const failing = stub().rejects(down());
      expect(await rejectionOf(() => accounts.refresh({ refreshToken }, caller))).to.include({
        kind: 'unavailable',
      });
      failing.restore();
      expect(await accounts.refresh({ refreshToken }, caller)).to.have.property('token');
    });
  }

  it('leaves the account unchanged if the session cannot be written', async () => {
    const { account, logIn, ports, turnOnFactor } = core();
    const code = await register();
    const accounts = createAccounts(ports);
    let failing = sinon.stub(ports.sessions, 'add').rejects(down());
    expect(await rejectionOf(() => accounts.verifyEmail({ email, code }, caller))).to.include({
      kind: 'unavailable',
    });
    expect(await ports.accounts.findByEmail(email)).to.include({ verified: false });
    failing.restore();
    const { token, user } = tokensIn(await accounts.verifyEmail({ email, code }, caller));

    const { recoveryCodes } = await turnOnFactor({ principal: () => accounts.authenticate(token) });
    const finish = () => logIn(email, { verificationCode: recoveryCodes[0] ?? '' });
    const remainingCodes = async () => (await account(user.id)).twoFactor?.recovery.length;
    failing = sinon.stub(ports.sessions, 'add').rejects(down());
    expect(await rejectionOf(finish)).to.include({ kind: 'unavailable' });
    expect(await remainingCodes()).to.equal(10);
    failing.restore();
    expect(await finish()).to.have.property('token');
    expect(await remainingCodes()).to.equal(9);
  });

  it('leaves no session if the account cannot be written', async () => {
    const code = await register();
    const { ports } = core();
    sinon.stub(ports.accounts, 'save').rejects(down());
    await rejectionOf(() => createAccounts(ports).verifyEmail({ email, code }, caller));
    const account = await ports.accounts.findByEmail(email);
    expect(await ports.sessions.list(account?.id ?? '')).to.deep.equal([]);
    expect(await ports.sessions.listEnded(10)).to.deep.equal([]);
  });
});
