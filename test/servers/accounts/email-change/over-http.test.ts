import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

describe('Changing the email over HTTP', () => {
  const service = useService();

  const ask = ({ token }: User, email: string) => service().post('/api/auth/email', { email }, { token });
  const confirm = ({ token }: User, code: string) =>
    service().post('/api/auth/email/confirm', { code }, { token });
  const undo = (email: string, code: string) => service().post('/api/auth/email/undo', { email, code });
  const undoCode = async (email: string): Promise<string> => {
    const found = () => service().mails.findLast(({ to, text }) => to === email && text.includes('7 days'));
    await until(() => found() !== undefined);
    return /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(found()?.text ?? '')?.[0] ?? '';
  };

  it('goes by a code from the new address, and back by one from the old', async () => {
    const user = await service().signUp();
    const fresh = 'fresh@example.com';
    const asked = await ask(user, ' Fresh@Example.com ');
    expect([asked.status, asked.body.email]).to.deep.equal([200, fresh]);
    const changed = await confirm(user, await service().codeFor(fresh));
    expect([changed.status, changed.body]).to.deep.equal([200, { success: true, email: fresh }]);
    const me = await service().request('GET', '/api/auth/me', { token: user.token });
    expect(me.body.user?.email).to.equal(fresh);

    const back = await undo(user.email, await undoCode(user.email));
    const removed = { passkeys: [], identities: [], password: false, secondFactor: false };
    expect([back.status, back.body]).to.deep.equal([200, { success: true, removed, deletionUndone: false }]);
    expect((await service().request('GET', '/api/auth/me', { token: user.token })).status).to.equal(401);
    const login = await service().post('/api/auth/login', { email: user.email, password: user.password });
    expect(login.status).to.equal(200);
  });

  it('needs a login of the last ten minutes to begin, and the session alone to go on', async () => {
    const user = await service().signUp();
    service().clock.advance(11 * 60_000);
    const stale = await ask(user, 'late@example.com');
    expect([stale.status, stale.body.code]).to.deep.equal([403, 'fresh_authentication_needed']);
    await service().post('/api/auth/reauthenticate', { password: user.password }, { token: user.token });
    expect((await ask(user, 'late@example.com')).status).to.equal(200);
    const code = await service().codeFor('late@example.com');
    const withdrawn = await service().request('DELETE', '/api/auth/email', { token: user.token });
    expect([withdrawn.status, withdrawn.body]).to.deep.equal([200, { success: true }]);
    const refused = await confirm(user, code);
    expect([refused.status, refused.body.code]).to.deep.equal([401, 'invalid_code']);
  });

  it('refuses what is no email, no code, or the email that the account has', async () => {
    const user = await service().signUp();
    expect((await ask(user, 'nobody')).body.code).to.equal('invalid_email');
    expect((await ask(user, user.email)).status).to.equal(409);
    expect((await confirm(user, '')).status).to.equal(400);
    expect((await confirm(user, '12')).body.code).to.equal('invalid_code');
    expect((await undo(user.email, '')).status).to.equal(400);
    expect((await undo(user.email, '7KQ2M-XW4RT')).body.code).to.equal('invalid_code');
    expect((await service().post('/api/auth/email', { email: 'x@example.com' })).status).to.equal(401);
  });
});
