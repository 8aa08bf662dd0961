import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { caller, codeOf } from '../open-core.ts';
import { by, password, useAdminAccounts } from './open-admin-accounts.ts';

const email = 'ada@example.com';

describe('An account created by an operator', () => {
  const core = useAdminAccounts();

  it('gets a mailed code that verifies the email and signs in', async () => {
    const { accounts, codeTo, operate, rowsAbout } = core();
    const created = await operate.createUser(
      { email: ' Ada@example.com', displayName: 'Ada' },
      by('new colleague'),
    );
    expect(created).to.include({ email, changed: true });
    expect(await operate.showUser(email)).to.include({
      emailVerified: false,
      displayName: 'Ada',
      hasPassword: false,
    });
    const code = await codeTo(email);
    expect((await accounts.verifyEmail({ email, code }, caller)).user.id).to.equal(created.userId);
    const [row, ...more] = await rowsAbout(created.userId);
    expect(more).to.deep.equal([]);
    expect(row).to.deep.include({
      action: 'user.created',
      reason: 'new colleague',
      after: { verified: false, mailed: 'verify' },
    });
  });

  it('gets no mail if it is created as verified, unless a reset code is requested', async () => {
    const { accounts, codeTo, events, logIn, mails, mailsTo, operate } = core();
    await operate.createUser({ email, verified: true, sendReset: true }, by());
    const code = await codeTo(email);
    expect(mails.map(({ to }) => to)).to.deep.equal([email]);
    expect(events.map(({ type }) => type)).to.deep.equal(['user.created', 'user.verified']);
    await accounts.confirmPasswordReset({ email, code, newPassword: password }, caller);
    expect(await logIn(email)).to.have.property('token');
    await operate.createUser({ email: 'grace@example.com', verified: true }, by());
    expect(await mailsTo('grace@example.com')).to.deep.equal([]);
  });

  it('is refused for a taken or invalid email, an invalid name, or an unverified reset', async () => {
    const { operate, ports, signUp } = core();
    await signUp(email);
    const create = (input: Parameters<typeof operate.createUser>[0]) =>
      codeOf(operate.createUser(input, by()));
    expect(await create({ email, verified: true })).to.equal('email_taken');
    expect(await create({ email: 'ada' })).to.equal('invalid_email');
    expect(await create({ email: 'b@example.com', displayName: 'x'.repeat(101) })).to.equal(
      'invalid_display_name',
    );
    expect(await create({ email: 'b@example.com', sendReset: true })).to.equal('email_not_verified');
    expect(await ports.accounts.findByEmail('b@example.com')).to.equal(undefined);
  });
});

describe('A verification code sent by an operator', () => {
  const core = useAdminAccounts();

  it('replaces the previous code, verifies the email, and is refused for a verified email', async () => {
    const { accounts, codesTo, operate, rowsAbout } = core();
    await accounts.register({ email, password }, caller);
    await codesTo(email);
    const { userId } = await operate.resendCode(email, by('called us'));
    const [before = '', code = '', ...others] = await codesTo(email);
    expect(others).to.deep.equal([]);
    if (before !== code)
      expect(await codeOf(accounts.verifyEmail({ email, code: before }, caller))).to.equal('invalid_code');
    expect((await accounts.verifyEmail({ email, code }, caller)).user.id).to.equal(userId);
    const refusal = await rejectionOf(() => operate.resendCode(email, by()));
    expect(refusal).to.include({ kind: 'conflict', code: 'already_verified' });
    const [row, ...more] = await rowsAbout(userId);
    expect(row).to.include({ action: 'user.code_resent', reason: 'called us' });
    expect(more).to.deep.equal([]);
  });

  it('is limited per day, and calls with an invalid reason do not count', async () => {
    const { accounts, operate, mails, settle } = core();
    await accounts.register({ email, password }, caller);
    const outcomes = [];
    for (let time = 0; time < 60; time += 1)
      expect(await codeOf(operate.resendCode(email, by(' ')))).to.equal('invalid_reason');
    for (let time = 0; time < 60; time += 1)
      outcomes.push(await operate.resendCode(email, by()).catch((error: { code?: string }) => error.code));
    await settle();
    expect(outcomes[0]).to.include({ changed: true });
    expect(outcomes.at(-1)).to.equal('too_many_code_mails');
    expect(mails.length).to.be.lessThan(60);
  });
});

describe('A reset code sent by an operator', () => {
  const core = useAdminAccounts();

  it('sets a new password, and stays valid if a stranger requests a reset', async () => {
    const { accounts, codesTo, logIn, operate, rowsAbout, signUp } = core();
    const { id } = await signUp(email);
    expect(await operate.sendReset(email, by('called us'))).to.include({ userId: id, changed: true });
    const codes = await codesTo(email);
    await accounts.requestPasswordReset({ email }, { ...caller, client: '198.51.100.7' });
    expect(await codesTo(email)).to.deep.equal(codes);
    const reset = { email, code: codes.at(-1) ?? '', newPassword: 'another battery' };
    await accounts.confirmPasswordReset(reset, caller);
    expect(await codeOf(logIn(email))).to.equal('wrong_credentials');
    expect(await logIn(email, { password: 'another battery' })).to.have.property('token');
    const rows = await rowsAbout(id);
    expect(rows.map(({ action }) => action)).to.include('password.reset_sent');
    expect(rows[0]).to.include({ reason: 'called us' });
  });

  it('is refused for an unverified email, and limited per day', async () => {
    const { accounts, mails, operate, settle, signUp } = core();
    await accounts.register({ email: 'new@example.com', password }, caller);
    const unverified = await rejectionOf(() => operate.sendReset('new@example.com', by()));
    expect(unverified).to.include({ kind: 'refused', code: 'email_not_verified' });
    expect(await codeOf(operate.sendReset('new@example.com', by()))).to.equal('email_not_verified');
    await signUp(email);
    const before = mails.length;
    const send = async () => {
      for (let sent = 0; sent < 100; sent += 1) await operate.sendReset(email, by());
    };
    expect(await rejectionOf(send)).to.include({ kind: 'throttled', code: 'too_many_code_mails' });
    await settle();
    expect(mails.length - before).to.be.within(1, 60);
  });
});
