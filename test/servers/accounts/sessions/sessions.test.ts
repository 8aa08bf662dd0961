import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { type User, useService } from '../../../support/service.ts';
import { logInAgain, statusOfMe } from '../second-factor/factor.ts';

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
  const logOut = ({ token }: Pick<User, 'token'>) => service().request('POST', '/api/auth/logout', { token });
  const refresh = ({ refreshToken }: Pick<User, 'refreshToken'>) =>
    service().post('/api/auth/refresh', { refreshToken });
  const idOf = ({ token }: Pick<User, 'token'>) => String(decodeJwt(token).sid);

  it('are listed newest first with address and user agent, and mark the current one', async () => {
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

  it('can be ended one by one, with immediate effect', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    const ended = await end(user, idOf(other));

    expect(ended.status).to.equal(200);
    expect(ended.body).to.deep.equal({ success: true });
    expect(await statusOfMe(service(), other.token)).to.equal(401);
    expect((await refresh(other)).status).to.equal(401);
    expect(await statusOfMe(service(), user.token)).to.equal(200);
    expect((await list(user)).map(({ id }) => id)).to.deep.equal([idOf(user)]);
    const again = await end(user, idOf(other));
    expect([again.status, again.body.code]).to.deep.equal([404, 'session_not_found']);
  });

  it('can all be ended except the current one', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    const { status, body } = await service().request('DELETE', '/api/auth/sessions', { token: user.token });

    expect(status).to.equal(200);
    expect(body).to.deep.equal({ success: true });
    expect([await statusOfMe(service(), other.token), await statusOfMe(service(), user.token)]).to.deep.equal(
      [401, 200],
    );
  });

  it('end at logout, and refuse a second logout', async () => {
    const user = await service().signUp();
    const { status, body } = await logOut(user);
    expect([status, body]).to.deep.equal([200, { success: true }]);
    const again = await logOut(user);
    expect([again.status, again.body.code]).to.deep.equal([401, 'invalid_token']);
    expect(again.headers.get('www-authenticate')).to.equal('Bearer error="invalid_token"');
  });
});
