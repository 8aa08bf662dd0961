import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

describe('An email change over HTTP', () => {
  const service = useService();

  const request = ({ token }: User, email: string) => service().post('/api/auth/email', { email }, { token });
  const confirm = ({ token }: User, code: string) =>
    service().post('/api/auth/email/confirm', { code }, { token });
  const undo = (email: string, code: string) => service().post('/api/auth/email/undo', { email, code });
  const undoCode = async (email: string): Promise<string> => {
    const findMail = () =>
      service().mails.findLast(({ to, text }) => to === email && text.includes('7 days'));
    await until(() => findMail() !== undefined);
    return /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(findMail()?.text ?? '')?.[0] ?? '';
  };

  it('is confirmed by a code to the new address, and undone by a code to the former one', async () => {
    const user = await service().signUp();
    const newEmail = 'fresh@example.com';
    const requested = await request(user, ' Fresh@Example.com ');
    expect([requested.status, requested.body.email]).to.deep.equal([200, newEmail]);
    const changed = await confirm(user, await service().codeFor(newEmail));
    expect([changed.status, changed.body]).to.deep.equal([200, { success: true, email: newEmail }]);
    const me = await service().request('GET', '/api/auth/me', { token: user.token });
    expect(me.body.user?.email).to.equal(newEmail);

    const back = await undo(user.email, await undoCode(user.email));
    const removed = { passkeys: [], identities: [], password: false, secondFactor: false };
    expect([back.status, back.body]).to.deep.equal([200, { success: true, removed, deletionUndone: false }]);
    expect((await service().request('GET', '/api/auth/me', { token: user.token })).status).to.equal(401);
    const login = await service().post('/api/auth/login', { email: user.email, password: user.password });
    expect(login.status).to.equal(200);
  });

  it('requires a fresh login to begin, and refuses its code after a cancellation', async () => {
    const user = await service().signUp();
    service().clock.advance(11 * 60_000);
    const stale = await request(user, 'late@example.com');
    expect([stale.status, stale.body.code]).to.deep.equal([403, 'fresh_authentication_needed']);
    await service().post('/api/auth/reauthenticate', { password: user.password }, { token: user.token });
    expect((await request(user, 'late@example.com')).status).to.equal(200);
    const code = await service().codeFor('late@example.com');
    const cancelled = await service().request('DELETE', '/api/auth/email', { token: user.token });
    expect([cancelled.status, cancelled.body]).to.deep.equal([200, { success: true }]);
    const refused = await confirm(user, code);
    expect([refused.status, refused.body.code]).to.deep.equal([401, 'invalid_code']);
  });

  it('refuses an invalid email or code, and the present email of the account', async () => {
    const user = await service().signUp();
    expect((await request(user, 'nobody')).body.code).to.equal('invalid_email');
    expect((await request(user, user.email)).status).to.equal(409);
    expect((await confirm(user, '')).status).to.equal(400);
    expect((await confirm(user, '12')).body.code).to.equal('invalid_code');
    expect((await undo(user.email, '')).status).to.equal(400);
    expect((await undo(user.email, '7KQ2M-XW4RT')).body.code).to.equal('invalid_code');
    expect((await service().post('/api/auth/email', { email: 'x@example.com' })).status).to.equal(401);
  });
});
