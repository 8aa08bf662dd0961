import { expect } from 'chai';
import { type Accounts, createAccounts, type Principal } from '../../../../core/index.ts';
import { byMail, caller, openPorts, password, tokensIn } from '../open-core.ts';

const WRITES = new Set(['add', 'addInTurn', 'save', 'remove']);
const VERIFIED = 'verified@example.com';
const WAITING = 'waiting@example.com';
const UNKNOWN = 'unknown@example.com';

type Opened = ReturnType<typeof openPorts>;

/** The port, with each call that writes handed to `count` as well. */
const countWrites = <T extends object>(port: T, count: () => void): T =>
  new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        if (typeof name === 'string' && WRITES.has(name)) count();
        return method.apply(target, args);
      };
    },
  });

/** An email with an account costs as many durable writes as one without: else time tells which it is. */
describe('The writes of a call', () => {
  let core: Opened;
  let accounts: Accounts;
  let writes = 0;
  let who: Principal;

  beforeEach(async () => {
    core = openPorts();
    const count = () => {
      writes += 1;
    };
    accounts = createAccounts({
      ...core.ports,
      accounts: countWrites(core.ports.accounts, count),
      attempts: countWrites(core.ports.attempts, count),
    });
    await accounts.register({ email: WAITING, password }, caller);
    const { token } = tokensIn(await byMail(accounts, core.mails).verify(VERIFIED));
    who = await accounts.authenticate(token);
  });

  /** How many a call makes, whether it is refused or not. */
  const during = async (call: () => Promise<unknown>): Promise<number> => {
    writes = 0;
    await call().catch(() => undefined);
    return writes;
  };
  const expectAlike = async (emails: readonly string[], call: (email: string) => Promise<unknown>) => {
    const counts = [];
    for (const email of emails) counts.push(await during(() => call(email)));
    expect(counts[0]).to.be.greaterThan(0);
    expect(new Set(counts).size, counts.join()).to.equal(1);
  };

  const stranger = { ...caller, client: '192.0.2.99', address: '192.0.2.99' };

  it('for a new verification code are as many without an account', () =>
    expectAlike([WAITING, UNKNOWN], (email) => accounts.resendVerification({ email }, caller)));

  it('for a wrong verification code are as many without a live code', () =>
    expectAlike([WAITING, VERIFIED, UNKNOWN], (email) =>
      accounts.verifyEmail({ email, code: '------' }, caller),
    ));

  it('for a reset code are as many without an account, and where none is mailed', async () => {
    const request = (email: string) => accounts.requestPasswordReset({ email }, stranger);
    await expectAlike([VERIFIED, WAITING, UNKNOWN], request);
    await accounts.requestPasswordReset({ email: VERIFIED }, caller);
    await expectAlike([VERIFIED, UNKNOWN], request);
    for (let count = 0; count < 20; count += 1) await request(VERIFIED);
    await expectAlike([VERIFIED, UNKNOWN], request);
  });

  it('for a change to an email of another account are as many as to one of nobody', async () => {
    const waiting = await core.ports.accounts.findByEmail(WAITING);
    const ask = (email: string) => accounts.askEmailChange(who, { email }, caller);
    await expectAlike([WAITING, UNKNOWN], ask);
    if (waiting !== undefined) await core.ports.accounts.save({ ...waiting, verified: true });
    await expectAlike([WAITING, UNKNOWN], ask);
  });

  it('for a wrong reset code are as many without a live code', async () => {
    await accounts.requestPasswordReset({ email: VERIFIED }, caller);
    const confirm = (email: string, client = stranger) =>
      accounts.confirmPasswordReset({ email, code: '00000-00000', newPassword: password }, client);
    for (let count = 0; count < 7; count += 1) await expectAlike([VERIFIED, WAITING, UNKNOWN], confirm);
    for (let count = 0; count < 7; count += 1)
      await expectAlike([VERIFIED, WAITING, UNKNOWN], (email) => confirm(email, caller));
  });
});
