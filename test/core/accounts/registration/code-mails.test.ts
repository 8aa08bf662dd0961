import { expect } from 'chai';
import type { Caller } from '../../../../core/index.ts';
import { race } from '../../../contracts/race.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { callerAt, newPassword, useAccounts } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

const DAY = 86_400_000;
const email = 'ada@example.com';

describe('The limits of code mails', () => {
  /** How many more mails the rate limit of resends allows. */
  let allowance: number;
  beforeEach(() => {
    allowance = Number.POSITIVE_INFINITY;
  });
  const core = useAccounts({}, () => ({
    limiter: {
      take: async ({ name, limit }) => {
        expect(name).to.equal('account:resend');
        allowance -= 1;
        return { allowed: allowance >= 0, limit, remaining: 0, reset: 60 };
      },
    },
  }));

  const register = (by = caller, enteredPassword = password) =>
    codeOf(core().accounts.register({ email, password: enteredPassword }, by));
  const logIn = (by = caller) => codeOf(core().logIn(email, {}, by));
  const resend = (by = caller) => codeOf(core().accounts.resendVerification({ email }, by));
  const reset = (by = caller) => codeOf(core().accounts.requestPasswordReset({ email }, by));
  const verify = async (enteredPassword?: string, code?: string) => {
    const input = { email, code: code ?? (await core().codeTo(email)) };
    return codeOf(
      core().accounts.verifyEmail(
        { ...input, ...(enteredPassword !== undefined && { password: enteredPassword }) },
        caller,
      ),
    );
  };
  /** Makes this number of calls, which all get the same answer. */
  const repeat = async (times: number, call: (by: Caller) => Promise<unknown>, by = caller) => {
    const answers = new Set<unknown>();
    for (let time = 0; time < times; time += 1) answers.add(await call(by));
    expect(answers.size).to.equal(1);
  };
  const expectMails = async (count: number) => expect(await core().codesTo(email)).to.have.lengthOf(count);

  for (const [name, call] of Object.entries({ 'sign-in': logIn, registration: register, resend })) {
    it(`allow one client network twenty mails a day by ${name}, whose last code stays valid`, async () => {
      await register();
      await repeat(25, call);
      await expectMails(20);
      expect(await verify()).to.equal('done');
    });
  }

  it('allow one client network twenty mails a day by reset, whose last code stays valid', async () => {
    const { accounts, codeTo, signUp } = core();
    await signUp(email);
    await repeat(25, reset, callerAt('192.0.2.9'));
    await expectMails(21);
    const confirm = { email, code: await codeTo(email), newPassword };
    expect(await codeOf(accounts.confirmPasswordReset(confirm, caller))).to.equal('done');
  });

  it('allow one client network twenty mails a day by all calls together', async () => {
    await register();
    for (let time = 0; time < 8; time += 1) {
      await resend();
      await logIn();
    }
    expect(await verify()).to.equal('done');
    await repeat(5, reset);
    await expectMails(20);
  });

  it('allow sixty mails a day to an email, of which one network can use twenty', async () => {
    const { clock } = core();
    await register();
    await repeat(70, resend, callerAt('198.51.100.1'));
    await expectMails(21);
    for (const host of [2, 3]) await repeat(19, resend, callerAt(`198.51.100.${host}`));
    await expectMails(59);
    await repeat(5, resend, callerAt('198.51.100.4'));
    await repeat(5, resend);
    await expectMails(60);
    expect(await verify()).to.equal('done');
    await repeat(5, reset);
    await expectMails(60);
    clock.advance(DAY);
    await reset();
    await expectMails(61);
  });

  it('do not count requests from before the account existed', async () => {
    for (const host of [1, 2, 3, 4])
      for (const call of [resend, reset]) await repeat(10, call, callerAt(`198.51.100.${host}`));
    await repeat(20, resend);
    await register();
    await resend();
    await expectMails(2);
  });

  it('allow twenty mails a day by sign-in and registration, apart from resends and resets', async () => {
    const { clock } = core();
    await register();
    for (let count = 0; count < 25; count += 1)
      await (count % 2 === 0 ? logIn : register)(callerAt(`198.51.100.${count}`));
    await expectMails(20);
    expect(await logIn()).to.equal('email_not_verified');
    expect(await register()).to.equal('done');
    await expectMails(20);
    await resend();
    await expectMails(21);
    clock.advance(DAY);
    await logIn();
    await expectMails(22);
    expect(await verify()).to.equal('done');
    await reset();
    await expectMails(23);
  });

  for (const [name, call] of Object.entries({ 'sign-ins': logIn, registrations: register })) {
    it(`count mails by ${name} as resends, and the answer stays equal above the limit`, async () => {
      await register();
      allowance = 3;
      await repeat(6, call);
      await expectMails(4);
      expect(await verify()).to.equal('done');
    });
  }

  it('count only the mails that were sent if many registrations run concurrently', async () => {
    allowance = 3;
    await race(20, () => register());
    await expectMails(4);
    allowance = Number.POSITIVE_INFINITY;
    await repeat(20, logIn);
    await expectMails(20);
    expect(await verify()).to.equal('done');
  });

  it('do not let an earlier code verify a later registration that sent no mail', async () => {
    const { codesTo } = core();
    await register();
    allowance = 0;
    await register(caller, newPassword);
    const [code, ...others] = await codesTo(email);
    expect(others).to.deep.equal([]);
    for (const enteredPassword of [undefined, password])
      expect(await verify(enteredPassword, code)).to.equal('wrong_credentials');
    allowance = 1;
    await register();
    expect(await verify(password)).to.equal('done');
  });

  it('do not apply to a verified account, which gets no mail at sign-in', async () => {
    await core().signUp(email);
    await repeat(5, logIn);
    await expectMails(1);
  });
});
