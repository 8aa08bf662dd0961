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

  type Who = Pick<User, 'token'>;
  const post = (path: string, body: unknown, { token }: Who) =>
    service().post(`/api/auth/${path}`, body, { token });
  const prove = (who: Who, body: unknown) => post('reauthenticate', body, who);
  const beginSetup = (who: Who, more: object = {}) => post('2fa', { enable: true, ...more }, who);
  const endOthers = ({ token }: Who) => service().request('DELETE', '/api/auth/sessions', { token });
  const endOne = ({ token }: Who, id: string) =>
    service().request('DELETE', `/api/auth/sessions/${id}`, { token });
  const sessionIds = async ({ token }: Who): Promise<readonly string[]> => {
    const { body } = await service().request('GET', '/api/auth/sessions', { token });
    const listed = body.sessions as unknown as readonly { id: string; current: boolean }[];
    return listed.toSorted((one) => (one.current ? -1 : 1)).map(({ id }) => id);
  };
  const refreshed = async (user: User): Promise<User> => {
    const { body } = await service().post('/api/auth/refresh', { refreshToken: user.refreshToken });
    return { ...user, token: String(body.token), refreshToken: String(body.refreshToken) };
  };
  const outcome = ({ status, body }: Reply) => [status, body?.code];
  const STALE = [403, 'fresh_authentication_needed'];
  /** The answer once the service has heard of a proof that was written beside it. */
  const afterProof = (call: () => Promise<Reply>) =>
    callUntil(call, ({ body }) => String(body.code) !== STALE[1]);

  it('says how old it may be, and what the account can prove by', async () => {
    const user = await service().signUp();
    service().clock.advance(11 * MINUTE);
    const { headers, body } = await beginSetup(user);

    expect(headers.get('www-authenticate')).to.equal(
      'Bearer error="insufficient_user_authentication", max_age=600',
    );
    expect(body).to.have.all.keys('message', 'code', 'maxAge', 'methods');
    expect([body.maxAge, body.methods]).to.deep.equal([600, ['password']]);
  });

  it('is given by the password, at any time and until a time that it says', async () => {
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

  it('is refused when the password is wrong', async () => {
    const user = await service().signUp();
    service().clock.advance(11 * MINUTE);

    expect(outcome(await prove(user, {}))).to.deep.equal([400, 'password_required']);
    expect(outcome(await prove(user, { password: 'wrong' }))).to.deep.equal([401, 'wrong_credentials']);
    expect(outcome(await beginSetup(user))).to.deep.equal(STALE);
  });

  it('names what is missing beside the code or the verifier of a provider', async () => {
    const user = await service().signUp();
    for (const half of [{ code: 'a.b' }, { verifier: 'v'.repeat(43) }]) {
      const { body } = await prove(user, half);
      expect(body).to.include({ code: 'invalid_request', message: "Send 'code' and 'verifier' together." });
    }
  });

  it('takes a code where the second factor is on, and neither alone is one', async () => {
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

  it('is not asked for by what ends or describes the caller’s own session', async () => {
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

  it('may be the password itself where the setup of a second factor begins', async () => {
    const user = await service().signUp();
    service().clock.advance(11 * MINUTE);

    expect(outcome(await beginSetup(user, { password: 'wrong' }))).to.deep.equal([401, 'wrong_credentials']);
    expect((await beginSetup(user, { password: user.password })).status).to.equal(200);
    expect(outcome(await endOthers(user))).to.deep.equal(STALE);
  });

  it('stays with the session that gave it: another confirms no setup that it began', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    const app = await beginFactor(service(), user);
    const confirm = (who: Who) => beginSetup(who, { verificationCode: app.code(), secret: app.secret });

    expect(outcome(await confirm(other))).to.deep.equal([400, 'two_factor_not_pending']);
    service().clock.advance(14 * MINUTE);
    expect((await confirm(user)).status).to.equal(200, 'no second look at how fresh it is');
  });

  it('lets nobody confirm a setup that began more than 15 minutes ago', async () => {
    const first = await service().signUp();
    const app = await beginFactor(service(), first);
    service().clock.advance(15 * MINUTE + 1_000);
    const confirmed = await beginSetup(await refreshed(first), {
      verificationCode: app.code(),
      secret: app.secret,
    });
    expect(outcome(confirmed)).to.deep.equal([400, 'two_factor_not_pending']);
  });

  it('is what an account without a password needs to set its first one, which its owner is told', async () => {
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

  it('includes the second factor, so that a first password takes no other code', async () => {
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

  it('can be given by an account that is banned, since it may be deleted', async () => {
    const user = await service().signUp();
    await records().change(user.email, { banned: { reason: 'spam', at: 0, until: null } });
    expect((await prove(user, { password: user.password })).status).to.equal(200);
    expect(outcome(await endOthers(user))).to.deep.equal([403, 'account_banned']);
  });
});

describe('With REAUTH_SECONDS a proof of identity', () => {
  const service = useService({ REAUTH_SECONDS: '60' });
  before(() => service().clock.stop());

  it('is fresh for as long as it says', async () => {
    const user = await service().signUp();
    const endOthers = () => service().request('DELETE', '/api/auth/sessions', { token: user.token });
    service().clock.advance(50_000);
    expect((await endOthers()).status).to.equal(200);
    service().clock.advance(11_000);
    expect((await endOthers()).body.maxAge).to.equal(60);
  });
});
