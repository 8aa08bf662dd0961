import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { type User, useService } from '../../../support/service.ts';
import { logIn, logInAgain, me } from '../second-factor/factor.ts';

describe('Sessions', () => {
  const service = useService();
  const list = async ({ token }: Pick<User, 'token'>) =>
    (await service().request('GET', '/api/auth/sessions', { token })).body.sessions as unknown as {
      id: string;
      createdAt: string;
      lastUsedAt: string;
      userAgent: string | null;
      ip: string;
      current: boolean;
    }[];
  const end = ({ token }: Pick<User, 'token'>, id: string) =>
    service().request('DELETE', `/api/auth/sessions/${id}`, { token });
  const endOthers = ({ token }: Pick<User, 'token'>) =>
    service().request('DELETE', '/api/auth/sessions', { token });
  const logOut = ({ token }: Pick<User, 'token'>) => service().request('POST', '/api/auth/logout', { token });
  const refresh = ({ refreshToken }: Pick<User, 'refreshToken'>) =>
    service().post('/api/auth/refresh', { refreshToken });
  const idOf = ({ token }: Pick<User, 'token'>) => String(decodeJwt(token).sid);

  it('are listed newest first, each with where it is from and which one asks', async () => {
    const user = await service().signUp();
    const before = service().clock.now();
    const { body } = await service().post(
      '/api/auth/login',
      { email: user.email, password: user.password },
      { headers: { 'User-Agent': 'Browser of a test' } },
    );
    const { status, body: listed } = await service().request('GET', '/api/auth/sessions', {
      token: user.token,
    });

    expect(status).to.equal(200);
    expect(listed).to.have.all.keys('sessions');
    const [newer, older, ...rest] = await list(user);
    expect(rest).to.deep.equal([]);
    expect(older).to.have.all.keys('id', 'createdAt', 'lastUsedAt', 'userAgent', 'ip', 'current');
    expect(older).to.include({ id: idOf(user), ip: '127.0.0.1', current: true });
    expect(newer).to.include({
      id: idOf({ token: String(body.token) }),
      userAgent: 'Browser of a test',
      current: false,
    });
    expect(newer?.createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(newer?.createdAt ?? '')).to.be.within(before, service().clock.now());
    expect(newer?.lastUsedAt).to.equal(newer?.createdAt);
  });

  it('show when they were last refreshed', async () => {
    const user = await service().signUp();
    service().clock.advance(60_000);
    const { body } = await refresh(user);
    const [session] = await list({ token: String(body.token) });

    expect(Date.parse(session?.lastUsedAt ?? '')).to.be.at.least(
      Date.parse(session?.createdAt ?? '') + 60_000,
    );
  });

  it('are listed while they are good only', async () => {
    const user = await service().signUp();
    service().clock.advance(20 * 86_400_000);
    const later = await logInAgain(service(), user);
    service().clock.advance(600_000);
    expect(await list(later)).to.have.length(2);

    service().clock.advance(10 * 86_400_000);
    const last = await logInAgain(service(), user);
    expect((await list(last)).map(({ id }) => id)).to.deep.equal([idOf(last), idOf(later)]);
  });

  it('end one by one, at once', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    const ended = await end(user, idOf(other));

    expect(ended.status).to.equal(200);
    expect(ended.body).to.deep.equal({ success: true });
    expect(await me(service(), other.token)).to.equal(401);
    expect((await refresh(other)).status).to.equal(401);
    expect(await me(service(), user.token)).to.equal(200);
    expect((await list(user)).map(({ id }) => id)).to.deep.equal([idOf(user)]);
    expect((await end(user, idOf(other))).status).to.equal(404, 'it is gone');
  });

  it('end by their own token, too', async () => {
    const user = await service().signUp();

    expect((await end(user, idOf(user))).status).to.equal(200);
    expect(await me(service(), user.token)).to.equal(401);
  });

  it('of another user are as unknown as ones that never were', async () => {
    const user = await service().signUp();
    const other = await service().signUp();

    for (const id of [idOf(other), '0199a0a0-0000-7000-8000-000000000000', 'x', "' OR 1=1 --", '%00']) {
      const { status, body } = await end(user, encodeURIComponent(id));
      expect(status, id).to.equal(404);
      expect(body.code, id).to.equal('session_not_found');
    }
    expect(await me(service(), other.token)).to.equal(200);
  });

  it('end all at once but the one that asks', async () => {
    const user = await service().signUp();
    const others = [await logInAgain(service(), user), await logInAgain(service(), user)];
    const stranger = await service().signUp();
    const { status, body } = await endOthers(user);

    expect(status).to.equal(200);
    expect(body).to.deep.equal({ success: true });
    for (const { token } of others) expect(await me(service(), token)).to.equal(401);
    expect(await me(service(), user.token)).to.equal(200);
    expect(await me(service(), stranger.token)).to.equal(200);
    expect(await list(user)).to.have.length(1);
    expect((await endOthers(user)).status).to.equal(200, 'nothing is left to end');
  });

  it('are twenty at most: the oldest ends', async () => {
    const first = await service().signUp();
    const second = await logInAgain(service(), first);
    for (let more = 0; more < 18; more += 1) {
      service().clock.advance(1_000);
      await logInAgain(service(), first);
    }
    expect(await list(first)).to.have.length(20);
    service().clock.advance(1_000);
    const last = await logInAgain(service(), first);

    expect(await me(service(), first.token)).to.equal(401);
    expect((await refresh(first)).status).to.equal(401);
    expect(await me(service(), second.token)).to.equal(200);
    expect(await list(last)).to.have.length(20);
  });

  it('end at logout with all their tokens, and no others', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    const refreshed = await refresh(user);
    const { status, body } = await logOut(user);

    expect(status).to.equal(200);
    expect(body).to.deep.equal({ success: true });
    expect(await me(service(), user.token)).to.equal(401);
    expect(await me(service(), String(refreshed.body.token))).to.equal(401);
    expect((await refresh({ refreshToken: String(refreshed.body.refreshToken) })).status).to.equal(401);
    expect(await me(service(), other.token)).to.equal(200);
  });

  it('cannot be logged out of twice', async () => {
    const user = await service().signUp();
    await logOut(user);
    const { status, body, headers } = await logOut(user);

    expect(status).to.equal(401);
    expect(body.code).to.equal('invalid_token');
    expect(headers.get('www-authenticate')).to.equal('Bearer error="invalid_token"');
  });

  it('begin anew after a logout', async () => {
    const user = await service().signUp();
    await logOut(user);
    const { status, body } = await logIn(service(), user);

    expect(status).to.equal(200);
    expect(idOf({ token: String(body.token) })).not.to.equal(idOf(user));
  });
});
