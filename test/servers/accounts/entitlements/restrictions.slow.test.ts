import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { type User, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

const HOUR = 3_600_000;
const kinds = ['banned', 'disabled'] as const;

for (const kind of kinds) {
  describe(`An account that is ${kind}`, () => {
    const service = useService();
    const records = useRecords(service);

    const logIn = ({ email, password }: User) => service().post('/api/auth/login', { email, password });
    const restrict = (user: User, until: number | null = null) =>
      records().change(user.email, { [kind]: { reason: 'spam', at: service().clock.now(), until } });
    const signUpRestricted = async () => {
      const user = await service().signUp();
      await restrict(user);
      // Nothing else writes the account from here on.
      await records().allSent();
      return user;
    };

    it('can log in, and the reply states the restriction', async () => {
      const { status, body } = await logIn(await signUpRestricted());
      expect(status).to.equal(200);
      expect(body).to.have.all.keys('user', 'token', 'refreshToken', 'services', 'banned', 'disabled');
      expect(body).to.include({ banned: kind === 'banned', disabled: kind === 'disabled' });
    });

    it('can refresh a session, and the reply states the restriction', async () => {
      const { refreshToken } = await signUpRestricted();
      const { status, body } = await service().post('/api/auth/refresh', { refreshToken });
      expect(status).to.equal(200);
      expect(body.token).to.be.a('string');
      expect(body).to.include({ banned: kind === 'banned', disabled: kind === 'disabled' });
    });

    it('can read its profile, log out and be deleted', async () => {
      const { token, password, id } = await signUpRestricted();
      const me = await service().request('GET', '/api/auth/me', { token });
      expect([me.status, me.body.user?.id]).to.deep.equal([200, id]);
      const leaving = await signUpRestricted();
      expect((await service().post('/api/auth/logout', undefined, leaving)).status).to.equal(200);
      const deleted = await service().post('/api/auth/delete-account', { password }, { token });
      expect(deleted.status).to.equal(200);
      expect((await records().accounts.find(id))?.deletedAt).to.be.a('number');
    });

    it('keeps its sessions, which lose access once the process knows the restriction', async () => {
      const user = await service().signUp();
      const rename = () =>
        service().request('PATCH', '/api/auth/me', { token: user.token, body: { displayName: 'Ada' } });
      expect((await rename()).status).to.equal(200);
      // Another process makes the change, which is announced, or seen within a second.
      await restrict(user);
      await until(async () => (await rename()).status === 403);
      await records().change(user.email, { [kind]: null });
      await until(async () => (await rename()).status === 200);
    });

    it('regains access once the restriction has expired', async () => {
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
