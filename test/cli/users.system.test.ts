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
  const json = async (...args: readonly string[]) => {
    const result = await run(...args, '--json');
    expect(result.status, result.stderr).to.equal(0);
    return documentsOf(result);
  };
  const emailsOf = async (...args: readonly string[]) =>
    (await json('users', 'list', ...args)).map(({ email }) => email);
  /** The mail number `count` to an address; the server sends mails, the command writes files. */
  const readMail = async (email: string, count: number) => {
    const files = makeMailFolder(join(service().folder, 'mail'));
    const mails = () => [
      ...service().mails.filter(({ to }) => to === email),
      ...files.mailsTo(email).map(({ headers, text }) => ({ subject: headers.subject ?? '', text })),
    ];
    await until(() => mails().length >= count);
    const { subject = '', text = '' } = mails()[count - 1] ?? {};
    return { subject, text };
  };
  const codeIn = (text: string | undefined, pattern: RegExp) => pattern.exec(text ?? '')?.[0] ?? '';

  it('create an account whose owner sets a password with the mailed code', async () => {
    const [email, password] = ['made@example.com', 'correct horse battery'];
    const [created] = await json('users', 'create', email, '--name', 'Ada', '--verified', '--send-reset');
    expect(created).to.include({ email, changed: true });
    const { text } = await readMail(email, 1);
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

  it('change the email of a user, who signs in with the new one, and notify both addresses', async () => {
    const user = await service().signUp();
    const email = 'moved@new.example';
    await json('users', 'set-email', user.email, email, '--reason', 'asked for by letter');
    expect((await readMail(user.email, 2)).subject).to.include('was changed');
    expect((await readMail(email, 1)).subject).to.include('now');
    const me = await service().request('GET', '/api/auth/me', { token: user.token });
    expect([me.status, me.body.user?.email]).to.deep.equal([200, email]);
    const logIn = (as: string) => service().post('/api/auth/login', { email: as, password: user.password });
    expect((await logIn(email)).status).to.equal(200);
    expect((await logIn(user.email)).status).to.equal(401);
    expect((await run('users', 'set-email', email, 'other@new.example')).status).to.equal(2);
    const [row] = await json('audit', 'list', '--user', user.id, '--action', 'user.email_changed');
    expect(row).to.include({ reason: 'asked for by letter' });
    expect(JSON.stringify(row)).not.to.include('example');
  });

  it('list the sessions of a user, and end one of them', async () => {
    const user = await service().signUp();
    const { body } = await service().post('/api/auth/login', { email: user.email, password: user.password });
    const sessions = await json('users', 'sessions', user.email);
    expect(sessions).to.have.length(2);
    await json('users', 'logout', user.id, '--session', String(sessions[0]?.id));
    expect((await json('users', 'sessions', user.id)).map(({ id }) => id)).to.deep.equal([sessions[1]?.id]);
    const me = (token: string) => service().request('GET', '/api/auth/me', { token });
    expect((await me(String(body.token))).status).to.equal(401);
    expect((await me(user.token)).status).to.equal(200);
    const unknown = await run('users', 'logout', user.id, '--session', String(sessions[0]?.id));
    expect([unknown.status, unknown.stderr.trim()]).to.deep.equal([1, 'There is no such session.']);
  });

  it('list users by status and by the beginning of their email', async () => {
    const [banned, disabled, operator] = [
      await service().signUp({ email: 'list-c@example.com' }),
      await service().signUp({ email: 'list-a@example.com' }),
      await service().signUp({ email: 'list-b@example.com' }),
    ];
    await json('users', 'create', 'list-d@example.com');
    await json('users', 'ban', banned.id, '--reason', 'spam');
    await json('users', 'disable', disabled.id, '--reason', 'left');
    await json('operator', 'grant', operator.id, 'dev');
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
