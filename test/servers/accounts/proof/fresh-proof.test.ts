import { expect } from 'chai';
import { writeProof } from '../../../../core/accounts/sessions/change-session.ts';
import { useRecords } from '../../../support/records.ts';
import { type Reply, type User, useService } from '../../../support/service.ts';
import { callUntil } from '../../../support/until.ts';
import { beginFactor, logInAgain, signUpWithFactor } from '../second-factor/factor.ts';
import { useStores } from '../stores.ts';

const MINUTE = 60_000;
const newPassword = 'the first battery of all';

describe('A fresh proof of identity', () => {
  const service = useService();
  before(() => service().clock.stop());
  const records = useRecords(service);
  const stores = useStores(service);

  type Caller = Pick<User, 'token'>;
  const post = (path: string, body: unknown, { token }: Caller) =>
    service().post(`/api/auth/${path}`, body, { token });
  const prove = (caller: Caller, body: unknown) => post('reauthenticate', body, caller);
  const beginSetup = (caller: Caller, more: object = {}) => post('2fa', { enable: true, ...more }, caller);
  const endOthers = ({ token }: Caller) => service().request('DELETE', '/api/auth/sessions', { token });
  const endOne = ({ token }: Caller, id: string) =>
    service().request('DELETE', `/api/auth/sessions/${id}`, { token });
  const sessionIds = async ({ token }: Caller): Promise<readonly string[]> => {
    const { body } = await service().request('GET', '/api/auth/sessions', { token });
    const listed = body.sessions as unknown as readonly { id: string; current: boolean }[];
    return listed.toSorted((session) => (session.current ? -1 : 1)).map(({ id }) => id);
  };
  const refresh = async (user: User): Promise<User> => {
    const { body } = await service().post('/api/auth/refresh', { refreshToken: user.refreshToken });
    return { ...user, token: String(body.token), refreshToken: String(body.refreshToken) };
  };
  const outcome = ({ status, body }: Reply) => [status, body?.code];
  const STALE = [403, 'fresh_authentication_needed'];
  /** Repeats the call until the service has seen a proof that the test wrote into the store. */
  const afterProof = (call: () => Promise<Reply>) =>
    callUntil(call, ({ body }) => String(body.code) !== STALE[1]);

  it('is requested with its maximum age and the methods of the account', async () => {
    const user = await service().signUp();
    service().clock.advance(11 * MINUTE);
    const { headers, body } = await beginSetup(user);

    expect(headers.get('www-authenticate')).to.equal(
      'Bearer error="insufficient_user_authentication", max_age=600',
    );
    expect(body).to.have.all.keys('message', 'code', 'maxAge', 'methods');
    expect([body.maxAge, body.methods]).to.deep.equal([600, ['password']]);
  });

  it('is given by the password, and lasts until the returned time', async () => {
    const user = await service().signUp();
    service().clock.advance(11 * MINUTE);
    const { status, body } = await prove(user, { password: user.password });

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('success', 'freshUntil');
    const life = Date.parse(String(body.freshUntil)) - service().clock.now();
    expect(life).to.be.within(9 * MINUTE, 10 * MINUTE);
    expect((await beginSetup(user)).status).to.equal(200);
    expect((await endOthers(user)).status).to.equal(200);
  });

  it('is refused without a password or with a wrong one', async () => {
    const user = await service().signUp();
    service().clock.advance(11 * MINUTE);

    expect(outcome(await prove(user, {}))).to.deep.equal([400, 'password_required']);
    expect(outcome(await prove(user, { password: 'wrong' }))).to.deep.equal([401, 'wrong_credentials']);
    expect(outcome(await beginSetup(user))).to.deep.equal(STALE);
  });

  it('requires the code and the verifier of a provider together', async () => {
    const user = await service().signUp();
    for (const half of [{ code: 'a.b' }, { verifier: 'v'.repeat(43) }]) {
      const { body } = await prove(user, half);
      expect(body).to.include({ code: 'invalid_request', message: "Send 'code' and 'verifier' together." });
    }
  });

  it('requires the password and a code if a second factor is on', async () => {
    const { user, app } = await signUpWithFactor(service());
    service().clock.advance(11 * MINUTE);
    const { password } = user;

    expect(outcome(await prove(user, { password }))).to.deep.equal([400, 'code_required']);
    expect(outcome(await prove(user, { password, verificationCode: app.wrong() }))).to.deep.equal([
      401,
      'invalid_two_factor_code',
    ]);
    const stale = await endOthers(user);
    expect(outcome(stale)).to.deep.equal(STALE);
    expect(stale.body.methods).to.deep.equal(['password', 'totp', 'recovery']);
    expect((await prove(user, { password, verificationCode: app.fresh() })).status).to.equal(200);
    expect((await endOthers(user)).status).to.equal(200);
  });

  it('is not required to change the display name or to end the current session', async () => {
    const user = await service().signUp();
    service().clock.advance(14 * MINUTE);
    const [own = ''] = await sessionIds(user);
    const renamed = await service().request('PATCH', '/api/auth/me', {
      token: user.token,
      body: { displayName: 'Ada' },
    });
    expect(renamed.status).to.equal(200);
    expect((await endOne(user, own)).status).to.equal(200);
  });

  it('is not required if the setup of a second factor comes with the password', async () => {
    const user = await service().signUp();
    service().clock.advance(11 * MINUTE);

    expect(outcome(await beginSetup(user, { password: 'wrong' }))).to.deep.equal([401, 'wrong_credentials']);
    expect((await beginSetup(user, { password: user.password })).status).to.equal(200);
    expect(outcome(await endOthers(user))).to.deep.equal(STALE);
  });

  it('belongs to its session: another session cannot confirm the setup that it began', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    const app = await beginFactor(service(), user);
    const confirm = (caller: Caller) =>
      beginSetup(caller, { verificationCode: app.code(), secret: app.secret });

    expect(outcome(await confirm(other))).to.deep.equal([400, 'two_factor_not_pending']);
    service().clock.advance(14 * MINUTE);
    expect((await confirm(user)).status).to.equal(200, 'the confirmation needs no fresh proof');
  });

  it('does not extend a setup that began more than 15 minutes ago', async () => {
    const first = await service().signUp();
    const app = await beginFactor(service(), first);
    service().clock.advance(15 * MINUTE + 1_000);
    const confirmed = await beginSetup(await refresh(first), {
      verificationCode: app.code(),
      secret: app.secret,
    });
    expect(outcome(confirmed)).to.deep.equal([400, 'two_factor_not_pending']);
  });

  it('is required to set a first password, of which the owner is notified', async () => {
    const user = await service().signUp();
    await records().change(user.email, { passwordHash: null });
    service().clock.advance(11 * MINUTE);
    const stale = await post('password', { newPassword }, user);
    expect(outcome(stale)).to.deep.equal(STALE);
    expect(stale.body.methods).to.deep.equal([]);

    const [own = ''] = await sessionIds(user);
    const proof = { authenticatedAt: service().clock.now(), methods: ['oidc'] } as const;
    await writeProof(stores(), { userId: user.id, id: own }, () => proof);
    expect((await afterProof(() => post('password', { newPassword }, user))).status).to.equal(200);
    expect((await service().mailTo(user.email, 2)).subject).to.equal(
      'Your Gatehouse account now has a password',
    );
  });

  it('must include the second factor to set a first password', async () => {
    const { user, app } = await signUpWithFactor(service());
    await records().change(user.email, { passwordHash: null });
    const body = { newPassword };
    const [own = ''] = await sessionIds(user);
    const proveBy = (...methods: readonly ('oidc' | 'totp')[]) =>
      writeProof(stores(), { userId: user.id, id: own }, () => ({
        authenticatedAt: service().clock.now(),
        methods,
      }));

    await proveBy('oidc');
    for (const more of [{}, { verificationCode: app.fresh() }])
      expect(outcome(await post('password', { ...body, ...more }, user))).to.deep.equal(STALE);
    await proveBy('oidc', 'totp');
    expect((await afterProof(() => post('password', body, user))).status).to.equal(200);
  });

  it('can be given by a banned account', async () => {
    const user = await service().signUp();
    await records().change(user.email, { banned: { reason: 'spam', at: 0, until: null } });
    expect((await prove(user, { password: user.password })).status).to.equal(200);
    expect(outcome(await endOthers(user))).to.deep.equal([403, 'account_banned']);
  });
});

describe('A proof of identity with REAUTH_SECONDS', () => {
  const service = useService({ REAUTH_SECONDS: '60' });
  before(() => service().clock.stop());

  it('is fresh for that number of seconds', async () => {
    const user = await service().signUp();
    const endOthers = () => service().request('DELETE', '/api/auth/sessions', { token: user.token });
    service().clock.advance(50_000);
    expect((await endOthers()).status).to.equal(200);
    service().clock.advance(11_000);
    expect((await endOthers()).body.maxAge).to.equal(60);
  });
});
