import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { type User, useService } from '../../../support/service.ts';

const HOUR = 3_600_000;
const kinds = ['banned', 'disabled'] as const;

/** Everything that a signed-in caller may do but what restricted ones may. */
const shut: readonly (readonly [method: string, path: string])[] = [
  ['PATCH', '/api/auth/me'],
  ['POST', '/api/auth/2fa'],
  ['POST', '/api/auth/2fa/recovery-codes'],
  ['POST', '/api/auth/password'],
  ['GET', '/api/auth/sessions'],
  ['DELETE', '/api/auth/sessions'],
  ['DELETE', '/api/auth/sessions/0199a0a0-0000-7000-8000-000000000000'],
];

for (const kind of kinds) {
  describe(`An account that is ${kind}`, () => {
    const service = useService();
    const records = useRecords(service);

    const logIn = ({ email, password }: User) => service().post('/api/auth/login', { email, password });
    const restrict = (user: User, until: number | null = null) =>
      records().change(user.email, { [kind]: { reason: 'spam', at: service().clock.now(), until } });
    const restricted = async () => {
      const user = await service().signUp();
      await restrict(user);
      // Nothing else writes the account from here on.
      await records().allSent();
      return user;
    };

    it('logs in still, and is told', async () => {
      const { status, body } = await logIn(await restricted());
      expect(status).to.equal(200);
      expect(body).to.have.all.keys('user', 'token', 'refreshToken', 'services', 'banned', 'disabled');
      expect(body).to.include({ banned: kind === 'banned', disabled: kind === 'disabled' });
    });

    it('is told at refresh, too', async () => {
      const { refreshToken } = await restricted();
      const { status, body } = await service().post('/api/auth/refresh', { refreshToken });
      expect(status).to.equal(200);
      expect(body.token).to.be.a('string');
      expect(body).to.include({ banned: kind === 'banned', disabled: kind === 'disabled' });
    });

    it('is told of nothing without the password', async () => {
      const { email } = await restricted();
      const { status, body } = await service().post('/api/auth/login', { email, password: 'a wrong one' });
      expect(status).to.equal(401);
      expect(body).to.have.all.keys('message', 'code');
    });

    it('may read itself', async () => {
      const { token, id } = await restricted();
      const { status, body } = await service().request('GET', '/api/auth/me', { token });
      expect(status).to.equal(200);
      expect(body.user?.id).to.equal(id);
    });

    it('may log out', async () => {
      const { token } = await restricted();
      expect((await service().request('POST', '/api/auth/logout', { token })).status).to.equal(200);
      expect((await service().request('GET', '/api/auth/me', { token })).status).to.equal(401);
    });

    it('may delete the account', async () => {
      const { token, password, id } = await restricted();
      const { status } = await service().post('/api/auth/delete-account', { password }, { token });
      expect(status).to.equal(200);
      expect((await records().accounts.find(id))?.deletedAt).to.be.a('number');
    });

    for (const [method, path] of shut) {
      it(`may not ${method} ${path}, whatever the body`, async () => {
        const { token, id } = await restricted();
        const ask = { token, ...(method === 'GET' ? {} : { body: { displayName: 7 } }) };
        const before = await records().accounts.find(id);
        const { status, body } = await service().request(method, path, ask);
        expect(status).to.equal(403);
        expect(body).to.have.all.keys('message', 'code');
        expect(body.code).to.equal(`account_${kind}`);
        expect(await records().accounts.find(id)).to.deep.equal(before);
      });
    }

    it('keeps its sessions, and what they may do ends at once', async () => {
      const user = await service().signUp();
      const rename = () =>
        service().request('PATCH', '/api/auth/me', { token: user.token, body: { displayName: 'Ada' } });
      expect((await rename()).status).to.equal(200);
      await restrict(user);
      expect((await rename()).status).to.equal(403);
      await records().change(user.email, { [kind]: null });
      expect((await rename()).status).to.equal(200);
    });

    it('is so no longer when its time is over', async () => {
      const user = await service().signUp();
      await restrict(user, service().clock.now() + HOUR);
      service().clock.advance(HOUR - 60_000);
      const before = await logIn(user);
      expect(before.body).to.have.property(kind, true);
      service().clock.advance(60_000);
      const { body } = await logIn(user);
      expect(body).to.include({ banned: false, disabled: false });
      for (const token of [before.body.token, body.token]) {
        const { status } = await service().request('PATCH', '/api/auth/me', {
          token: String(token),
          body: { displayName: 'Ada' },
        });
        expect(status).to.equal(200);
      }
      const refresh = await service().post('/api/auth/refresh', { refreshToken: body.refreshToken });
      expect(refresh.body).to.have.all.keys('token', 'refreshToken');
    });
  });
}
