import { expect } from 'chai';
import sinon from 'sinon';
import type { TwoFactorSetup } from '../../../../core/accounts/second-factor/configure-two-factor.ts';
import { unavailable } from '../../../../core/errors.ts';
import { createAccounts } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { codeAt } from '../../../servers/accounts/second-factor/factor.ts';
import { caller, openPorts } from '../open-core.ts';

const email = 'ada@example.com';
const password = 'correct horse battery';

const down = () => unavailable('store_unavailable', 'Down.');

describe('A call that fails because a store or a key is unavailable', () => {
  let core: ReturnType<typeof openPorts>;
  beforeEach(() => {
    core = openPorts();
  });
  afterEach(() => {
    sinon.restore();
  });

  /** Registers, and gives the code from the mail. */
  const register = async (): Promise<string> => {
    const { register, background } = createAccounts(core.ports);
    await register({ email, password }, caller);
    await background.relay();
    await background.deliverMail(1);
    return /\b\d{6}\b/.exec(core.mails.at(-1)?.text ?? '')?.[0] ?? '';
  };
  const signUp = async () =>
    createAccounts(core.ports).verifyEmail({ email, code: await register() }, caller);

  for (const [name, stub] of [
    ['tokens.issue', () => sinon.stub(core.ports.tokens, 'issue')],
    ['sessions.findWithAccount', () => sinon.stub(core.ports.sessions, 'findWithAccount')],
  ] as const) {
    it(`spends no refresh token where ${name} fails`, async () => {
      const { refreshToken } = await signUp();
      const accounts = createAccounts(core.ports);
      const failing = stub().rejects(down());
      expect(await rejectionOf(() => accounts.refresh({ refreshToken }, caller))).to.include({
        kind: 'unavailable',
      });
      failing.restore();
      expect(await accounts.refresh({ refreshToken }, caller)).to.have.property('token');
    });
  }

  it('leaves the account as it was where the session cannot be written', async () => {
    const code = await register();
    const accounts = createAccounts(core.ports);
    let failing = sinon.stub(core.ports.sessions, 'add').rejects(down());
    expect(await rejectionOf(() => accounts.verifyEmail({ email, code }, caller))).to.include({
      kind: 'unavailable',
    });
    expect(await core.ports.accounts.findByEmail(email)).to.include({ verified: false });
    failing.restore();
    const { token } = await accounts.verifyEmail({ email, code }, caller);

    const who = await accounts.authenticate(token);
    const { secret } = (await accounts.configureTwoFactor(who, { enable: true }, caller)) as TwoFactorSetup;
    const verificationCode = codeAt(secret, core.ports.clock.now());
    const on = await accounts.configureTwoFactor(who, { enable: true, secret, verificationCode }, caller);
    const [recoveryCode = ''] = ('recoveryCodes' in on && on.recoveryCodes) || [];
    const logIn = () => accounts.logIn({ email, password, verificationCode: recoveryCode }, caller);
    failing = sinon.stub(core.ports.sessions, 'add').rejects(down());
    expect(await rejectionOf(logIn)).to.include({ kind: 'unavailable' });
    expect((await core.ports.accounts.findByEmail(email))?.twoFactor?.recovery).to.have.lengthOf(10);
    failing.restore();
    expect(await logIn()).to.have.property('token');
    expect((await core.ports.accounts.findByEmail(email))?.twoFactor?.recovery).to.have.lengthOf(9);
  });

  it('leaves no session behind where the account cannot be written', async () => {
    const code = await register();
    sinon.stub(core.ports.accounts, 'save').rejects(down());
    await rejectionOf(() => createAccounts(core.ports).verifyEmail({ email, code }, caller));
    const account = await core.ports.accounts.findByEmail(email);
    expect(await core.ports.sessions.list(account?.id ?? '')).to.deep.equal([]);
    expect(await core.ports.sessions.listEnded(10)).to.deep.equal([]);
  });
});
