import { expect } from 'chai';
import { caller, codeOf } from '../open-core.ts';
import { by, password, useAdminAccounts } from './open-admin-accounts.ts';

const cli = { ...by(), reason: 'asked for by letter' };
const [OLD, NEW] = ['ada@example.com', 'ada@new.example'];

describe('An email set by an operator', () => {
  const core = useAdminAccounts();

  it('replaces the old email, which becomes free, and keeps everything else of the account', async () => {
    const { accounts, logIn, operate, ports, settle, signUp } = core();
    const { id, token } = await signUp(OLD);
    const before = await ports.accounts.find(id);
    const result = await operate.setEmail(OLD, ' Ada@NEW.example', cli);
    expect(result).to.deep.equal({ userId: id, email: NEW, changed: true });
    await settle();
    const { version: _, updatedAt: __, ...after } = (await ports.accounts.find(id)) ?? {};
    const { version: ___, updatedAt: ____, ...same } = before ?? {};
    expect(after).to.deep.equal({ ...same, email: NEW });
    expect((await accounts.authenticate(token)).user.email).to.equal(NEW);
    expect(await logIn(NEW)).to.have.property('token');
    expect(await codeOf(logIn(OLD))).to.equal('wrong_credentials');
    expect((await signUp(OLD)).id).not.to.equal(id);
  });

  it('is reported by mail to the old and the new address, in the language of the user', async () => {
    for (const [language, pattern] of [
      ['en', /was changed.*now/],
      ['pl', /zmieniony.*nowy adres/],
    ] as const) {
      const { edit, mails, operate, settle, signUp } = core();
      const { id } = await signUp(`${language}@example.com`);
      await edit(id, { language });
      await operate.setEmail(id, `${language}@new.example`, cli);
      await settle();
      const mailsAfter = mails.slice(-2);
      const addresses = [`${language}@example.com`, `${language}@new.example`];
      expect(mailsAfter.map(({ to }) => to)).to.have.members(addresses);
      // Mails to several addresses are sent in any order.
      const subjects = addresses.map((address) => mailsAfter.find(({ to }) => to === address)?.subject);
      expect(subjects.join(' ')).to.match(pattern);
      // The old address may belong to another person by now.
      expect(mailsAfter.find(({ to }) => to.endsWith('@example.com'))?.text).not.to.include('new.example');
    }
  });

  it('voids the codes that were mailed to the old address', async () => {
    const { accounts, codeTo, operate, signUp } = core();
    await signUp(OLD);
    await accounts.requestPasswordReset({ email: OLD }, caller);
    const code = await codeTo(OLD);
    expect(code).to.match(/-/);
    await accounts.register({ email: 'new@example.com', password }, caller);
    const verification = await codeTo('new@example.com');
    await operate.setEmail(OLD, NEW, cli);
    await operate.setEmail('new@example.com', 'newer@example.com', cli);
    for (const email of [OLD, NEW]) {
      const reset = accounts.confirmPasswordReset({ email, code, newPassword: 'another battery' }, caller);
      expect(await codeOf(reset), email).to.equal('invalid_code');
    }
    for (const email of ['new@example.com', 'newer@example.com']) {
      const verify = accounts.verifyEmail({ email, code: verification }, caller);
      expect(await codeOf(verify), email).to.equal('invalid_code');
    }
  });

  it('is audited with digests in place of addresses', async () => {
    const { operate, rowsAbout, signUp } = core();
    const { id } = await signUp(OLD);
    await operate.setEmail(OLD, NEW, cli);
    await operate.setEmail(NEW, OLD, cli);
    const [firstRow, secondRow, ...more] = await rowsAbout(id);
    expect(more).to.deep.equal([]);
    expect(firstRow).to.include({ action: 'user.email_changed', reason: cli.reason, actor: 'operator:cli' });
    expect(firstRow?.before).to.deep.equal(secondRow?.after);
    expect(firstRow?.after).to.deep.equal(secondRow?.before).and.not.deep.equal(firstRow?.before);
    expect(firstRow?.after?.email).to.match(/^[\w-]{43}$/);
    expect(JSON.stringify([firstRow, secondRow])).not.to.include('example');
  });

  it('is refused if it is taken or invalid, and writes nothing then or if it is unchanged', async () => {
    const { operate, ports, rowsAbout, signUp } = core();
    const { id } = await signUp(OLD);
    const otherUser = await signUp(NEW);
    const before = await ports.accounts.find(id);
    expect(await codeOf(operate.setEmail(OLD, NEW, cli))).to.equal('email_taken');
    expect(await codeOf(operate.setEmail(OLD, 'ada', cli))).to.equal('invalid_email');
    expect(await codeOf(operate.setEmail(OLD, 'b@example.com', { ...cli, reason: ' ' }))).to.equal(
      'invalid_reason',
    );
    expect(await operate.setEmail(OLD, 'ADA@example.com', cli)).to.include({ changed: false });
    expect(await ports.accounts.find(id)).to.deep.equal(before);
    expect(await rowsAbout(id)).to.deep.equal([]);
    expect((await ports.accounts.find(otherUser.id))?.email).to.equal(NEW);
  });

  it('is set for one user if five concurrent calls set it for different users', async () => {
    const { operate, ports, signUp } = core();
    const users = [];
    for (let index = 0; index < 5; index += 1) users.push(await signUp(`u${index}@example.com`));
    const outcomes = await Promise.all(users.map(({ id }) => codeOf(operate.setEmail(id, NEW, cli))));
    expect(outcomes.toSorted()).to.deep.equal(['done', ...Array(4).fill('email_taken')]);
    const emails = await Promise.all(users.map(async ({ id }) => (await ports.accounts.find(id))?.email));
    expect(emails.filter((email) => email === NEW)).to.have.length(1);
  });
});
