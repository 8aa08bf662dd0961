import { expect } from 'chai';
import { createIntrospector } from '../../../../servers/verify/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { useService } from '../../../support/service.ts';
import { openPage } from '../cookies/jar.ts';
import { bearerRoutes } from './bearer-routes.ts';

const SECRET = 'c7d0b24e6f9a4c1d8e3b5a7f90d1c2e4';

describe('An access token for one service', () => {
  const service = useService({
    COOKIE_SESSIONS: 'on',
    INTERNAL_SECRET: SECRET,
    TOKEN_AUDIENCES: 'notes, files',
  });
  const signIn = async () => {
    const user = await service().signUp();
    const page = openPage(service());
    await page.logIn(user);
    const tokenFor = async (audience: string) =>
      String((await page.post(`session/token?audience=${audience}`)).body.token);
    return { user, page, tokenFor };
  };

  it('is refused by every route that requires a bearer token', async () => {
    const { page, tokenFor } = await signIn();
    const own = String((await page.post('session/token')).body.token);
    const token = await tokenFor('notes');
    const readProfile = (bearer: string) => service().request('GET', '/api/auth/me', { token: bearer });
    expect((await readProfile(own)).status).to.equal(200);
    for (const { method, path } of bearerRoutes(service())) {
      const { status } = await service().request(method, path, { token });
      expect(status, `${method} ${path}`).to.equal(401);
    }
  });

  it('is accepted by its own service alone', async () => {
    const { tokenFor } = await signIn();
    const token = await tokenFor('notes');
    const options = { url: service().url, secret: SECRET };
    expect(await createIntrospector({ ...options, audience: 'notes' }).introspect(token)).to.have.property(
      'userId',
    );
    for (const audience of ['files', undefined])
      expect(
        await rejectionOf(() => createIntrospector({ ...options, audience }).introspect(token)),
      ).to.include({ code: 'invalid_token' });
  });

  it('is required by a service that has an audience', async () => {
    const { token } = await service().signUp();
    const options = { url: service().url, secret: SECRET };
    expect(await createIntrospector(options).introspect(token)).to.have.property('userId');
    expect(
      await rejectionOf(() => createIntrospector({ ...options, audience: 'notes' }).introspect(token)),
    ).to.include({ code: 'invalid_token' });
  });

  it('is issued only for the services in TOKEN_AUDIENCES', async () => {
    const { page } = await signIn();
    for (const audience of ['other', 'gatehouse', '']) {
      const { status, body } = await page.post(`session/token?audience=${audience}`);
      expect([status, body.code], audience).to.deep.equal([400, 'invalid_audience']);
    }
  });
});
