import { join } from 'node:path';
import { expect } from 'chai';
import { makeMailFolder } from '../support/mail-folder.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { documentsOf, runCommand } from './run-command.ts';

describe('The gatehouse users commands beside a running server', () => {
  const service = useService();
  const run = (...args: readonly string[]) =>
    runCommand(service().folder, args, { env: { DATA_DIR: service().folder } });
  const done = async (...args: readonly string[]) => {
    const ran = await run(...args, '--json');
    expect(ran.status, ran.stderr).to.equal(0);
    return documentsOf(ran);
  };
  const emailsOf = async (...args: readonly string[]) =>
    (await done('users', 'list', ...args)).map(({ email }) => email);
  /** The mail to an address that is so many-th; the server sent it, or the command, which writes files. */
  const mailed = async (email: string, count: number) => {
    const files = makeMailFolder(join(service().folder, 'mail'));
    const mails = () => [
      ...service().mails.filter(({ to }) => to === email),
      ...files.mailsTo(email).map(({ headers, text }) => ({ subject: headers.subject ?? '', text })),
    ];
    await until(() => mails().length >= count);
    const { subject = '', text = '' } = mails()[count - 1] ?? {};
    return { subject, text };
  };
  const codeIn = (text: string | undefined, form: RegExp) => form.exec(text ?? '')?.[0] ?? '';

  it('make an account whose owner gets in with what was mailed', async () => {
    const [email, password] = ['made@example.com', 'correct horse battery'];
    const [created] = await done('users', 'create', email, '--name', 'Ada', '--verified', '--send-reset');
    expect(created).to.include({ email, changed: true });
    const { text } = await mailed(email, 1);
    const code = codeIn(text, /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/);
    const body = { email, code, newPassword: password };
    expect((await service().post('/api/auth/password-reset/confirm', body)).status).to.equal(200);
    const { status, body: answer } = await service().post('/api/auth/login', { email, password });
    expect([status, answer.user?.displayName]).to.deep.equal([200, 'Ada']);
    const again = await run('users', 'create', email);
    expect([again.status, again.stderr.trim()]).to.deep.equal([
      1,
      'An account with this email already exists.',
    ]);
    expect((await run('users', 'create', 'b@example.com', '--send-reset')).status).to.equal(2);
  });

  it('give a user another email, with which they log in and of which both addresses hear', async () => {
    const user = await service().signUp();
    const email = 'moved@new.example';
    await done('users', 'set-email', user.email, email, '--reason', 'asked for by letter');
    expect((await mailed(user.email, 2)).subject).to.include('was changed');
    expect((await mailed(email, 1)).subject).to.include('now');
    const me = await service().request('GET', '/api/auth/me', { token: user.token });
    expect([me.status, me.body.user?.email]).to.deep.equal([200, email]);
    const logIn = (as: string) => service().post('/api/auth/login', { email: as, password: user.password });
    expect((await logIn(email)).status).to.equal(200);
    expect((await logIn(user.email)).status).to.equal(401);
    expect((await run('users', 'set-email', email, 'other@new.example')).status).to.equal(2);
    const [row] = await done('audit', 'list', '--user', user.id, '--action', 'user.email_changed');
    expect(row).to.include({ reason: 'asked for by letter' });
    expect(JSON.stringify(row)).not.to.include('example');
  });

  it('list the sessions of a user, and end one of them', async () => {
    const user = await service().signUp();
    const { body } = await service().post('/api/auth/login', { email: user.email, password: user.password });
    const sessions = await done('users', 'sessions', user.email);
    expect(sessions).to.have.length(2);
    await done('users', 'logout', user.id, '--session', String(sessions[0]?.id));
    expect((await done('users', 'sessions', user.id)).map(({ id }) => id)).to.deep.equal([sessions[1]?.id]);
    const me = (token: string) => service().request('GET', '/api/auth/me', { token });
    expect((await me(String(body.token))).status).to.equal(401);
    expect((await me(user.token)).status).to.equal(200);
    const gone = await run('users', 'logout', user.id, '--session', String(sessions[0]?.id));
    expect([gone.status, gone.stderr.trim()]).to.deep.equal([1, 'There is no such session.']);
  });

  it('list users by what is the matter with them, and by the beginning of emails', async () => {
    const [banned, disabled, operator] = [
      await service().signUp({ email: 'list-c@example.com' }),
      await service().signUp({ email: 'list-a@example.com' }),
      await service().signUp({ email: 'list-b@example.com' }),
    ];
    await done('users', 'create', 'list-d@example.com');
    await done('users', 'ban', banned.id, '--reason', 'spam');
    await done('users', 'disable', disabled.id, '--reason', 'left');
    await done('operator', 'grant', operator.id, 'dev');
    const ofTest = async (...args: readonly string[]) => emailsOf('--email', 'LIST-', ...args);
    const emails = ['list-a@example.com', 'list-b@example.com', 'list-c@example.com', 'list-d@example.com'];
    expect(await ofTest()).to.deep.equal(emails);
    expect(await ofTest('--limit', '3', '--page', '2')).to.deep.equal(emails.slice(3));
    expect(await ofTest('--banned')).to.deep.equal([banned.email]);
    expect(await ofTest('--disabled')).to.deep.equal([disabled.email]);
    expect(await ofTest('--operator')).to.deep.equal([operator.email]);
    expect(await ofTest('--unverified')).to.deep.equal(['list-d@example.com']);
    expect(await ofTest('--banned', '--unverified')).to.deep.equal([]);
    expect(await emailsOf('--operator')).to.deep.equal([operator.email]);
    expect(await emailsOf('--banned')).to.deep.equal([banned.email]);
    const listing = await run('users', 'list', '--email', 'list-', '--limit', '3');
    expect(listing.stderr).to.equal('Page 1 of 2, 4 users.\n');
    expect((await run('users', 'list', '--email', 'a b')).status).to.equal(2);
  });
});
