import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';

describe('The profile', () => {
  const service = useService();
  const show = ({ token }: Pick<User, 'token'>) => service().request('GET', '/api/auth/me', { token });
  const update = ({ token }: Pick<User, 'token'>, body: unknown) =>
    service().request('PATCH', '/api/auth/me', { token, body });

  it('has exactly the documented members', async () => {
    const before = service().clock.now();
    const user = await service().signUp();
    const { status, body } = await show(user);

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('user');
    const { createdAt, updatedAt, ...rest } = body.user as unknown as Record<string, unknown>;
    expect(rest).to.deep.equal({
      id: user.id,
      email: user.email,
      avatar: null,
      displayName: null,
      language: 'en',
      twoFactorEnabled: false,
      serviceAccess: [],
      oauthAccounts: [],
    });
    for (const time of [createdAt, updatedAt]) {
      expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(String(time))).to.be.within(before, service().clock.now());
    }
  });

  it('accepts a new display name, and returns it as later reads do', async () => {
    const user = await service().signUp();
    service().clock.advance(1_000);
    const { status, body } = await update(user, { displayName: 'Žofia 🦊' });

    expect(status).to.equal(200);
    expect(body.user?.displayName).to.equal('Žofia 🦊');
    expect(body).to.deep.equal((await show(user)).body);
    expect(Date.parse(String(body.user?.updatedAt))).to.be.at.least(
      Date.parse(String(body.user?.createdAt)) + 1_000,
    );
    const login = await service().post('/api/auth/login', { email: user.email, password: user.password });
    expect(login.body.user?.displayName).to.equal('Žofia 🦊');
  });

  it('refuses an invalid display name or language, and keeps the name', async () => {
    const user = await service().signUp();
    await update(user, { displayName: 'Ada' });

    for (const body of [
      {},
      { name: 'Ada' },
      { language: 'de' },
      { language: null },
      { displayName: 'Bob', language: 'constructor' },
      { displayName: 'Ada\r\nBcc: all@example.com' },
      { displayName: 'A\0da' },
    ]) {
      expect((await update(user, body)).status, JSON.stringify(body)).to.equal(400);
    }
    expect((await update(user, { displayName: 'x'.repeat(101) })).body.code).to.equal('invalid_display_name');
    expect((await show(user)).body.user?.displayName).to.equal('Ada');
    expect((await update(user, { displayName: null })).body.user?.displayName).to.equal(null);
  });

  it('ignores every other member, and the ids of other users', async () => {
    const [user, other] = [await service().signUp(), await service().signUp()];
    const { token } = user;
    const shown = await service().request('GET', `/api/auth/me?userId=${other.id}&id=${other.id}`, { token });
    expect(shown.body.user?.id).to.equal(user.id);
    const before = (await show(user)).body.user;
    const { body } = await update(user, {
      displayName: 'Ada',
      id: other.id,
      userId: other.id,
      email: 'another@example.com',
      avatar: 'https://example.com/x.png',
      verified: false,
      twoFactorEnabled: true,
      serviceAccess: [{ tier: 'enterprise' }],
      createdAt: '2000-01-01T00:00:00.000Z',
    });

    expect(body.user).to.deep.equal({ ...before, displayName: 'Ada', updatedAt: body.user?.updatedAt });
    expect((await show(other)).body.user?.displayName).to.equal(null);
  });
});
