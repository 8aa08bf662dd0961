import { expect } from 'chai';
import { type Accounts, createAccounts, type Principal } from '../../../../core/index.ts';
import { caller, makeMailbox, openPorts, password, tokensIn } from '../open-core.ts';

const WRITES = new Set(['add', 'addInTurn', 'save', 'remove']);
const VERIFIED = 'verified@example.com';
const UNVERIFIED = 'waiting@example.com';
const UNKNOWN = 'unknown@example.com';

type Context = ReturnType<typeof openPorts>;

/** The port, with `count` called before each call that writes. */
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

/** Equal numbers of durable writes, so that response times do not reveal which emails have an account. */
describe('The number of writes', () => {
  let core: Context;
  let accounts: Accounts;
  let writes = 0;
  let principal: Principal;

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
    await accounts.register({ email: UNVERIFIED, password }, caller);
    const { token } = tokensIn(await makeMailbox(accounts, core.mails).verify(VERIFIED));
    principal = await accounts.authenticate(token);
  });

  /** Counts the writes of a call, also if it is refused. */
  const countDuring = async (call: () => Promise<unknown>): Promise<number> => {
    writes = 0;
    await call().catch(() => undefined);
    return writes;
  };
  const expectEqualWrites = async (emails: readonly string[], call: (email: string) => Promise<unknown>) => {
    const counts = [];
    for (const email of emails) counts.push(await countDuring(() => call(email)));
    expect(counts[0]).to.be.greaterThan(0);
    expect(new Set(counts).size, counts.join()).to.equal(1);
  };

  const stranger = { ...caller, client: '192.0.2.99', address: '192.0.2.99' };

  it('for a resend is equal with and without an account', () =>
    expectEqualWrites([UNVERIFIED, UNKNOWN], (email) => accounts.resendVerification({ email }, caller)));

  it('for a wrong verification code is equal with and without a valid code', () =>
    expectEqualWrites([UNVERIFIED, VERIFIED, UNKNOWN], (email) =>
      accounts.verifyEmail({ email, code: '------' }, caller),
    ));

  it('for a reset request is equal with and without an account, and with and without a mail', async () => {
    const request = (email: string) => accounts.requestPasswordReset({ email }, stranger);
    await expectEqualWrites([VERIFIED, UNVERIFIED, UNKNOWN], request);
    await accounts.requestPasswordReset({ email: VERIFIED }, caller);
    await expectEqualWrites([VERIFIED, UNKNOWN], request);
    for (let count = 0; count < 20; count += 1) await request(VERIFIED);
    await expectEqualWrites([VERIFIED, UNKNOWN], request);
  });

  it('for an email change is equal to a taken and a free email', async () => {
    const unverified = await core.ports.accounts.findByEmail(UNVERIFIED);
    const ask = (email: string) => accounts.askEmailChange(principal, { email }, caller);
    await expectEqualWrites([UNVERIFIED, UNKNOWN], ask);
    if (unverified !== undefined) await core.ports.accounts.save({ ...unverified, verified: true });
    await expectEqualWrites([UNVERIFIED, UNKNOWN], ask);
  });

  it('for a wrong reset code is equal with and without a valid code', async () => {
    await accounts.requestPasswordReset({ email: VERIFIED }, caller);
    const confirm = (email: string, client = stranger) =>
      accounts.confirmPasswordReset({ email, code: '00000-00000', newPassword: password }, client);
    for (let count = 0; count < 7; count += 1)
      await expectEqualWrites([VERIFIED, UNVERIFIED, UNKNOWN], confirm);
    for (let count = 0; count < 7; count += 1)
      await expectEqualWrites([VERIFIED, UNVERIFIED, UNKNOWN], (email) => confirm(email, caller));
  });
});
