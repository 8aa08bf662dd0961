import { expect } from 'chai';
import type { Method } from '../../../../core/accounts/session.ts';
import { writeProof } from '../../../../core/accounts/sessions/change-session.ts';
import { providerRoutes } from '../../../../servers/accounts/providers/routes.ts';
import { accountRoutes } from '../../../../servers/accounts/routes.ts';
import { useRecords } from '../../../support/records.ts';
import { scriptedProviders } from '../../../support/scripted-providers.ts';
import { type User, useService } from '../../../support/service.ts';
import { callUntil } from '../../../support/until.ts';
import { PASSKEYS_ON } from '../passkeys/person.ts';
import { REDIRECT } from '../providers/flows.ts';
import { logInAgain, signUpWithFactor } from '../second-factor/factor.ts';
import { useStores } from '../stores.ts';
import { type ProvedCall, provedCalls } from './proof-table.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STALE = [403, 'fresh_authentication_needed'];

describe('The calls that need a fresh proof', () => {
  const service = useService(
    { ...PASSKEYS_ON, SIGN_IN_REDIRECTS: REDIRECT },
    { providers: scriptedProviders().port },
  );
  before(() => service().clock.stop());
  const records = useRecords(service);
  const stores = useStores(service);

  type Who = Pick<User, 'id' | 'token' | 'refreshToken'>;
  const sessionsOf = async ({ token }: Who): Promise<readonly string[]> => {
    const { body } = await service().request('GET', '/api/auth/sessions', { token });
    const listed = body.sessions as unknown as readonly { id: string; current: boolean }[];
    return listed.toSorted((one) => (one.current ? -1 : 1)).map(({ id }) => id);
  };
  /** The call by a user, ready to be made with a token. */
  const prepared = async ({ call, id, body, withoutPassword }: ProvedCall, user: User) => {
    const [method = '', path = ''] = call.split(' ');
    if (withoutPassword === true) await records().change(user.email, { passwordHash: null });
    const [own = '', other = 'unknown'] = await sessionsOf(user);
    const made = async ({ token }: Who) => {
      const given = { token, ...(body === undefined ? {} : { body }) };
      const reply = await service().request(method, path.replace('{id}', id ?? other), given);
      return [reply.status, reply.body?.code];
    };
    const prove = (methods: readonly Method[]) =>
      writeProof(stores(), { userId: user.id, id: own }, () => ({
        authenticatedAt: service().clock.now(),
        methods,
      }));
    /** What becomes of the call once the service has heard of a proof that was written beside it. */
    const madeAfterProof = (who: Who) =>
      callUntil(
        () => made(who),
        ([, code]) => String(code) !== STALE[1],
      );
    return { made, madeAfterProof, prove };
  };
  const refreshed = async ({ id, refreshToken }: Who): Promise<Who> => {
    const { body } = await service().post('/api/auth/refresh', { refreshToken });
    return { id, token: String(body.token), refreshToken: String(body.refreshToken) };
  };
  const withTwoSessions = async (): Promise<User> => {
    const user = await service().signUp();
    await logInAgain(service(), user);
    return user;
  };

  it('are those that the reference says so of', () => {
    const { accounts } = service().composition;
    const site = { origin: () => '', https: true, passkeys: true };
    const says = [...accountRoutes(accounts), ...providerRoutes(accounts, site)]
      // Of operators' calls `test/servers/console/who-changes-operators.test.ts` has the table.
      .filter(({ path }) => !path.startsWith('/api/admin/'))
      .filter(({ answers }) => answers[403]?.errors?.includes('fresh_authentication_needed'))
      .map(({ method, path }) => `${method} ${path}`);
    expect(says).to.have.members(provedCalls.map(({ call }) => call));
  });

  for (const row of provedCalls)
    it(`${row.call} is refused eleven minutes after the login, refreshed or not, and let through after a proof`, async () => {
      const user = await withTwoSessions();
      const { made, madeAfterProof, prove } = await prepared(row, user);
      service().clock.advance(11 * MINUTE);
      expect(await made(user)).to.deep.equal(STALE);
      const later = await refreshed(user);
      expect(await made(later)).to.deep.equal(STALE);
      await prove(['password']);
      expect(await madeAfterProof(later)).to.deep.equal(row.gives ?? [200, undefined]);
    });

  // All of them ask one gate, whose judgement is tried with one.
  const row: ProvedCall = { call: 'DELETE /api/auth/sessions' };

  it('take no proof by the password alone where a second factor is on', async () => {
    const { user } = await signUpWithFactor(service());
    const { made, madeAfterProof, prove } = await prepared(row, user);
    await prove(['password']);
    expect(await made(user)).to.deep.equal(STALE);
    for (const factor of ['totp', 'recovery', 'passkey'] as const) {
      await prove(['password', factor]);
      expect(await madeAfterProof(user)).to.deep.equal([200, undefined]);
    }
  });

  it('take no proof of an hour ago, or from more than a minute ahead', async () => {
    const user = await withTwoSessions();
    const { made } = await prepared(row, user);
    const { clock } = service();
    let who: Who = user;
    for (const moved of [-61 * SECOND, -HOUR, 2 * HOUR]) {
      clock.advance(moved);
      who = await refreshed(who);
      expect(await made(who), `moved by ${moved}`).to.deep.equal(STALE);
    }
    clock.advance(-HOUR + 61 * SECOND);
    who = await refreshed(who);
    expect(await made(who)).to.deep.equal([200, undefined]);
  });

  it('are not those that bring a proof of their own, or that harm nobody', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { password } = user;
    let { token } = user;
    const ask = async (call: string, body?: object) => {
      const [method = '', path = ''] = call.split(' ');
      const reply = await service().request(method, `/api/auth/${path}`, { token, body });
      if (typeof reply.body.token === 'string') token = reply.body.token;
      return reply.status;
    };
    expect(await ask('POST email', { email: 'asked@example.com' })).to.equal(200);
    service().clock.advance(11 * MINUTE);
    expect(await ask('POST email', { email: 'other@example.com' })).to.equal(403);

    const asked = await service().codeFor('asked@example.com');
    const newPassword = 'another horse battery';
    const calls: readonly (readonly [string, () => object | undefined])[] = [
      ['PATCH me', () => ({ displayName: 'Ada' })],
      ['POST email/confirm', () => ({ code: asked })],
      ['DELETE email', () => undefined],
      ['POST 2fa/recovery-codes', () => ({ verificationCode: app.fresh() })],
      ['POST password', () => ({ currentPassword: password, newPassword, verificationCode: app.fresh() })],
      ['POST 2fa', () => ({ enable: false, verificationCode: app.fresh() })],
      ['POST delete-account', () => ({ password: newPassword })],
    ];
    for (const [call, body] of calls) expect(await ask(call, body()), call).to.equal(200);
  });
});
