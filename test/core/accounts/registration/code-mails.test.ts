import { expect } from 'chai';
import type { Caller } from '../../../../core/index.ts';
import { race } from '../../../contracts/race.ts';
import { password } from '../admin/open-operated.ts';
import { caller, codeOf } from '../open-core.ts';
import { from, newPassword, usePeople } from '../use-people.ts';

const DAY = 86_400_000;
const email = 'ada@example.com';

describe('Mails with codes', () => {
  /** Calls that the allowance of resends has left. */
  let allowance: number;
  beforeEach(() => {
    allowance = Number.POSITIVE_INFINITY;
  });
  const people = usePeople({}, () => ({
    limiter: {
      take: async ({ name, limit }) => {
        expect(name).to.equal('account:resend');
        allowance -= 1;
        return { allowed: allowance >= 0, limit, remaining: 0, reset: 60 };
      },
    },
  }));

  const register = (by = caller, enteredPassword = password) =>
    codeOf(people().accounts.register({ email, password: enteredPassword }, by));
  const logIn = (by = caller) => codeOf(people().logIn(email, {}, by));
  const resend = (by = caller) => codeOf(people().accounts.resendVerification({ email }, by));
  const reset = (by = caller) => codeOf(people().accounts.requestPasswordReset({ email }, by));
  const verify = async (enteredPassword?: string, code?: string) => {
    const input = { email, code: code ?? (await people().codeTo(email)) };
    return codeOf(
      people().accounts.verifyEmail(
        { ...input, ...(enteredPassword !== undefined && { password: enteredPassword }) },
        caller,
      ),
    );
  };
  /** So many calls, all of which get the same answer. */
  const repeat = async (times: number, call: (by: Caller) => Promise<unknown>, by = caller) => {
    const answers = new Set<unknown>();
    for (let time = 0; time < times; time += 1) answers.add(await call(by));
    expect(answers.size).to.equal(1);
  };
  const expectMails = async (count: number) => expect(await people().codesTo(email)).to.have.lengthOf(count);

  for (const [name, call] of Object.entries({ 'sign-in': logIn, registration: register, resend })) {
    it(`are twenty a day for one client network by ${name}; the last code stays valid`, async () => {
      await register();
      await repeat(25, call);
      await expectMails(20);
      expect(await verify()).to.equal('done');
    });
  }

  it('are twenty a day for one client network by password reset; the last code stays valid', async () => {
    const { accounts, codeTo, signUp } = people();
    await signUp(email);
    await repeat(25, reset, from('192.0.2.9'));
    await expectMails(21);
    const confirm = { email, code: await codeTo(email), newPassword };
    expect(await codeOf(accounts.confirmPasswordReset(confirm, caller))).to.equal('done');
  });

  it('are twenty a day for one client network by all calls together', async () => {
    await register();
    for (let time = 0; time < 8; time += 1) {
      await resend();
      await logIn();
    }
    expect(await verify()).to.equal('done');
    await repeat(5, reset);
    await expectMails(20);
  });

  it('are sixty a day for an address, of which no network uses up more than its own', async () => {
    const { clock } = people();
    await register();
    await repeat(70, resend, from('198.51.100.1'));
    await expectMails(21);
    for (const host of [2, 3]) await repeat(19, resend, from(`198.51.100.${host}`));
    await expectMails(59);
    await repeat(5, resend, from('198.51.100.4'));
    await repeat(5, resend);
    await expectMails(60);
    expect(await verify()).to.equal('done');
    await repeat(5, reset);
    await expectMails(60);
    clock.advance(DAY);
    await reset();
    await expectMails(61);
  });

  it('that are asked for before there is an account use up nothing of what it may get', async () => {
    for (const host of [1, 2, 3, 4])
      for (const call of [resend, reset]) await repeat(10, call, from(`198.51.100.${host}`));
    await repeat(20, resend);
    await register();
    await resend();
    await expectMails(2);
  });

  it('by sign-ins and registrations are twenty a day of all networks, and no resend or reset less', async () => {
    const { clock } = people();
    await register();
    for (let count = 0; count < 25; count += 1)
      await (count % 2 === 0 ? logIn : register)(from(`198.51.100.${count}`));
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
    it(`by ${name} are within the allowance of resends, beyond which the answer is the same`, async () => {
      await register();
      allowance = 3;
      await repeat(6, call);
      await expectMails(4);
      expect(await verify()).to.equal('done');
    });
  }

  it('use up no more of the day than was mailed, when many register at once', async () => {
    allowance = 3;
    await race(20, () => register());
    await expectMails(4);
    allowance = Number.POSITIVE_INFINITY;
    await repeat(20, logIn);
    await expectMails(20);
    expect(await verify()).to.equal('done');
  });

  it('open no stranger’s registration of which no mail has told, without its password', async () => {
    const { codesTo } = people();
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

  it('are not sent for a verified account, which they cost nothing', async () => {
    await people().signUp(email);
    await repeat(5, logIn);
    await expectMails(1);
  });
});
