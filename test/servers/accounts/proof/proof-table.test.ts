import { expect } from 'chai';
import type { Method } from '../../../../core/accounts/session.ts';
import { writeProof } from '../../../../core/accounts/sessions/change-session.ts';
import { providerRoutes } from '../../../../servers/accounts/providers/routes.ts';
import { accountRoutes } from '../../../../servers/accounts/routes.ts';
import { useRecords } from '../../../support/records.ts';
import { scriptedProviders } from '../../../support/scripted-providers.ts';
import { type User, useService } from '../../../support/service.ts';
import { callUntil } from '../../../support/until.ts';
import { PASSKEYS_ON } from '../passkeys/passkey-calls.ts';
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

  type Caller = Pick<User, 'id' | 'token' | 'refreshToken'>;
  const sessionsOf = async ({ token }: Caller): Promise<readonly string[]> => {
    const { body } = await service().request('GET', '/api/auth/sessions', { token });
    const listed = body.sessions as unknown as readonly { id: string; current: boolean }[];
    return listed.toSorted((session) => (session.current ? -1 : 1)).map(({ id }) => id);
  };
  /** Prepares the call for a user. */
  const prepare = async ({ call, id, body, withoutPassword }: ProvedCall, user: User) => {
    const [method = '', path = ''] = call.split(' ');
    if (withoutPassword === true) await records().change(user.email, { passwordHash: null });
    const [own = '', other = 'unknown'] = await sessionsOf(user);
    const send = async ({ token }: Caller) => {
      const request = { token, ...(body === undefined ? {} : { body }) };
      const reply = await service().request(method, path.replace('{id}', id ?? other), request);
      return [reply.status, reply.body?.code];
    };
    const prove = (methods: readonly Method[]) =>
      writeProof(stores(), { userId: user.id, id: own }, () => ({
        authenticatedAt: service().clock.now(),
        methods,
      }));
    /** Repeats the call until the service has seen the proof, which the test writes into the store. */
    const sendAfterProof = (caller: Caller) =>
      callUntil(
        () => send(caller),
        ([, code]) => String(code) !== STALE[1],
      );
    return { send, sendAfterProof, prove };
  };
  const refresh = async ({ id, refreshToken }: Caller): Promise<Caller> => {
    const { body } = await service().post('/api/auth/refresh', { refreshToken });
    return { id, token: String(body.token), refreshToken: String(body.refreshToken) };
  };
  const withTwoSessions = async (): Promise<User> => {
    const user = await service().signUp();
    await logInAgain(service(), user);
    return user;
  };

  it('are those whose documented errors include `fresh_authentication_needed`', () => {
    const { accounts } = service().composition;
    const site = { origin: () => '', https: true, passkeys: true };
    const documented = [...accountRoutes(accounts), ...providerRoutes(accounts, site)]
      // `test/servers/console/who-changes-operators.test.ts` has the table of operators' calls.
      .filter(({ path }) => !path.startsWith('/api/admin/'))
      // Only with a passkey and no recovery code left: `test/core/accounts/second-factor/passkeys.test.ts` tries it.
      .filter(({ path }) => path !== '/api/auth/2fa/recovery-codes')
      .filter(({ answers }) => answers[403]?.errors?.includes('fresh_authentication_needed'))
      .map(({ method, path }) => `${method} ${path}`);
    expect(documented).to.have.members(provedCalls.map(({ call }) => call));
  });

  for (const row of provedCalls)
    it(`include ${row.call}, which is refused eleven minutes after a login until a proof`, async () => {
      const user = await withTwoSessions();
      const { send, sendAfterProof, prove } = await prepare(row, user);
      service().clock.advance(11 * MINUTE);
      expect(await send(user)).to.deep.equal(STALE);
      const later = await refresh(user);
      expect(await send(later)).to.deep.equal(STALE);
      await prove(['password']);
      expect(await sendAfterProof(later)).to.deep.equal(row.refusal ?? [200, undefined]);
    });

  // All calls share one check, which the tests below try with one call.
  const row: ProvedCall = { call: 'DELETE /api/auth/sessions' };

  it('accept no proof by the password alone if a second factor is on', async () => {
    const { user } = await signUpWithFactor(service());
    const { send, sendAfterProof, prove } = await prepare(row, user);
    await prove(['password']);
    expect(await send(user)).to.deep.equal(STALE);
    for (const factor of ['totp', 'recovery', 'passkey'] as const) {
      await prove(['password', factor]);
      expect(await sendAfterProof(user)).to.deep.equal([200, undefined]);
    }
  });

  it('accept no proof that is an hour old, or more than a minute in the future', async () => {
    const user = await withTwoSessions();
    const { send } = await prepare(row, user);
    const { clock } = service();
    let caller: Caller = user;
    for (const offsetMs of [-61 * SECOND, -HOUR, 2 * HOUR]) {
      clock.advance(offsetMs);
      caller = await refresh(caller);
      expect(await send(caller), `moved by ${offsetMs}`).to.deep.equal(STALE);
    }
    clock.advance(-HOUR + 61 * SECOND);
    caller = await refresh(caller);
    expect(await send(caller)).to.deep.equal([200, undefined]);
  });

  it('do not include calls that carry their own proof, or that are harmless', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { password } = user;
    let { token } = user;
    const callStatus = async (call: string, body?: object) => {
      const [method = '', path = ''] = call.split(' ');
      const reply = await service().request(method, `/api/auth/${path}`, { token, body });
      if (typeof reply.body.token === 'string') token = reply.body.token;
      return reply.status;
    };
    expect(await callStatus('POST email', { email: 'asked@example.com' })).to.equal(200);
    service().clock.advance(11 * MINUTE);
    expect(await callStatus('POST email', { email: 'other@example.com' })).to.equal(403);

    const changeCode = await service().codeFor('asked@example.com');
    const newPassword = 'another horse battery';
    const calls: readonly (readonly [string, () => object | undefined])[] = [
      ['PATCH me', () => ({ displayName: 'Ada' })],
      ['POST email/confirm', () => ({ code: changeCode })],
      ['DELETE email', () => undefined],
      ['POST 2fa/recovery-codes', () => ({ verificationCode: app.fresh() })],
      ['POST password', () => ({ currentPassword: password, newPassword, verificationCode: app.fresh() })],
      ['POST 2fa', () => ({ enable: false, verificationCode: app.fresh() })],
      ['POST delete-account', () => ({ password: newPassword })],
    ];
    for (const [call, body] of calls) expect(await callStatus(call, body()), call).to.equal(200);
  });
});
