import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { listUserActions } from '../../../core/accounts/admin/user-actions.ts';
import { consoleRoutes } from '../../../servers/console/routes.ts';
import { type Reply, useService } from '../../support/service.ts';
import { root } from '../../support/tree/root.ts';
import { until } from '../../support/until.ts';
import { openPage } from '../accounts/cookies/jar.ts';
import { makeOperator, openConsole, outcome, type TestOperator } from './console-client.ts';
import { rowsAbout } from './open-operator.ts';

const CLI = { actor: 'operator:cli', person: 'Grace' } as const;
const REASON = 'a new colleague';
const ELEVEN_MINUTES_MS = 11 * 60_000;
const FLAGS = { isOperatorTeam: true, operatorTeamRole: 'dev' } as const;

/** Rules of the core decide these changes: see `test/core/accounts/admin/rules.test.ts`. */
const CORE_CHANGES = [
  'PUT and DELETE /api/admin/users/{id}/operator',
  'POST /api/admin/users/{id}/delete',
  'POST /api/admin/users/{id}/ban, /unban, /disable and /enable',
  'POST /api/admin/users/{id}/verify',
  'POST /api/admin/users/{id}/reset-two-factor',
  'DELETE /api/admin/users/{id}/sessions and one of them',
  'POST /api/auth/delete-account',
  'POST /api/auth/email/undo',
  'POST /api/auth/2fa',
  'gatehouse users delete, ban, unban, disable, enable, verify, set-email, unlink, remove-passkey, reset-2fa and logout',
];

/** The first column of the table of `docs/console.md`. */
const documentedChanges = (): readonly string[] => {
  const text = readFileSync(`${root}docs/console.md`, 'utf8');
  const [, section = ''] = text.split('## Who changes operators\n');
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((line) => line.slice(2, line.indexOf(' | ')).replaceAll('`', ''));
};

describe('A change of operators', () => {
  const service = useService({ COOKIE_SESSIONS: 'on', ADMIN_ROUTES: 'both', SELF_ENTITLEMENT: 'ignore' });
  const operate = () => service().composition.accounts.operate;
  const listeners = () => [service().url, service().consoleUrl];
  const secret = () => ({ 'x-internal-secret': service().composition.internalSecrets[0] ?? '' });

  const operators: TestOperator[] = [];
  const operator = async (role: 'founder' | 'dev' = 'founder') => {
    const created = await makeOperator(service(), role);
    operators.push(created);
    return created;
  };
  /** Each test must know all founders. */
  afterEach(async () => {
    for (const { user } of operators.splice(0))
      await operate()
        .dismiss(user.id, CLI)
        .catch(() => undefined);
  });

  const roleOf = async (id: string): Promise<unknown> => {
    const [entitlement] = (await operate().showUser(id)).entitlements;
    const { isOperatorTeam, operatorTeamRole } = entitlement?.accessFlags ?? {};
    return isOperatorTeam === true ? operatorTeamRole : undefined;
  };
  const patch = (
    at: string,
    id: string,
    body: object,
    { headers, token }: { headers?: Record<string, string>; token?: string },
  ) =>
    openConsole(service(), at).send('PATCH', `/api/admin/users/${id}`, {
      body: { service: 'DROP', ...body },
      ...(token === undefined ? {} : { token }),
      ...(headers === undefined ? {} : { headers }),
    });
  const appoint = (at: string, id: string, token: string, body: object = {}) =>
    patch(at, id, { accessFlags: FLAGS, ...body }, { token });
  const tokenOf = async ({ user: { email, password }, app }: TestOperator): Promise<string> => {
    const login = { email, password, verificationCode: app.fresh() };
    return String((await service().post('/api/auth/login', login)).body.token);
  };
  const subjectsTo = (email: string) =>
    service().mails.flatMap(({ to, subject }) => (to === email && /operator/.test(subject) ? [subject] : []));
  const clearMails = () => service().mails.splice(0);
  /** Waits for the mail to the user and for the mail to each founder. */
  const expectMails = async (email: string, subject: string, founders: readonly TestOperator[]) => {
    await until(() => subjectsTo(email).includes(subject));
    const notice = 'An operator of Gatehouse was changed';
    // Only mails about this user: mails about the operators of the test may still arrive.
    const isNotified = (founder: string) =>
      service().mails.some(
        ({ to, subject: sent, text }) => to === founder && sent === notice && text.includes(email),
      );
    for (const { user } of founders) await until(() => isNotified(user.email));
  };
  const APPOINTED = 'You are now an operator of Gatehouse';
  const DISMISSED = 'You are no longer an operator of Gatehouse';
  const lastRow = async (id: string) => (await rowsAbout(service(), { id })).at(-1);
  const expectRefusal = (reply: Reply, status: number, code: string) =>
    expect(outcome(reply)).to.deep.equal([status, code]);

  const CHANGES: Readonly<Record<string, () => Promise<void>>> = {
    'PATCH /api/admin/users/{userId} with an access token': async () => {
      const founder = await operator();
      const dev = await operator('dev');
      const founderToken = await tokenOf(founder);
      const devToken = await tokenOf(dev);
      for (const at of listeners()) {
        const { id, email } = await service().signUp();
        expectRefusal(await appoint(at, id, devToken), 403, 'operator_flags_protected');
        expectRefusal(await appoint(at, founder.user.id, founderToken), 409, 'own_account');
        expectRefusal(await appoint(at, id, founderToken, { reason: ' ' }), 400, 'invalid_reason');
        clearMails();
        const reply = await appoint(at, id, founderToken, { reason: REASON });
        expect(reply.status).to.equal(200);
        await expectMails(email, APPOINTED, [founder]);
        expect(await lastRow(id)).to.deep.include({
          actor: founder.user.id,
          reason: REASON,
          address: '127.0.0.1',
          requestId: reply.headers.get('x-request-id'),
        });
        expect((await lastRow(id))?.after).to.include({ operatorRole: 'dev' });
        const dismissed = await patch(at, id, { accessFlags: {} }, { token: founderToken });
        expect(dismissed.status).to.equal(200);
        await expectMails(email, DISMISSED, [founder]);
        expect((await lastRow(id))?.reason).to.equal('No reason was given (by access token)');
      }
      // A stale proof cannot appoint or dismiss, but can grant a tier.
      const other = await operator();
      const page = openPage(service());
      await page.logIn(founder.user);
      const { email, password } = founder.user;
      const login = { email, password, verificationCode: founder.app.fresh() };
      expect((await page.post('login', login, { 'X-Session': 'cookie' })).status).to.equal(200);
      service().clock.advance(ELEVEN_MINUTES_MS);
      const cookieToken = String((await page.post('session/token', {})).body.token);
      for (const at of listeners())
        for (const token of [founderToken, cookieToken]) {
          const { id } = await service().signUp();
          const stale = await appoint(at, id, token);
          expectRefusal(stale, 403, 'fresh_authentication_needed');
          expect(stale.headers.get('www-authenticate')).to.include('insufficient_user_authentication');
          expectRefusal(
            await patch(at, other.user.id, { accessFlags: {} }, { token }),
            403,
            'fresh_authentication_needed',
          );
          expect(await roleOf(id)).to.equal(undefined);
          expect((await patch(at, id, { tier: 'pro' }, { token })).status).to.equal(200);
        }
      expect(await roleOf(other.user.id)).to.equal('founder');
      const proved = await service().post(
        '/api/auth/reauthenticate',
        { password, verificationCode: founder.app.fresh() },
        { token: founderToken },
      );
      expect(proved.status).to.equal(200);
      const { id } = await service().signUp();
      expect((await appoint(service().url, id, founderToken)).status).to.equal(200);
      // A founder without a second factor cannot dismiss the last founder who can sign in to the console.
      await operate().dismiss(other.user.id, CLI);
      const outside = await service().signUp();
      await operate().appoint(outside.id, 'founder', CLI);
      const last = await patch(service().url, founder.user.id, { accessFlags: {} }, outside);
      expectRefusal(last, 409, 'last_founder');
      await operate().dismiss(outside.id, CLI);
    },

    'PATCH /api/admin/users/{userId} with the internal secret': async () => {
      const founder = await operator();
      for (const at of listeners()) {
        const { id, email } = await service().signUp();
        clearMails();
        expect((await patch(at, id, { accessFlags: FLAGS }, { headers: secret() })).status).to.equal(200);
        await expectMails(email, APPOINTED, [founder]);
        expect(await lastRow(id)).to.deep.include({
          actor: 'internal',
          reason: 'No reason was given (by internal secret)',
          address: '127.0.0.1',
        });
        const body = { accessFlags: {}, reason: REASON };
        expect((await patch(at, id, body, { headers: secret() })).status).to.equal(200);
        await expectMails(email, DISMISSED, [founder]);
        expect((await lastRow(id))?.reason).to.equal(REASON);
      }
      const reply = await patch(service().url, founder.user.id, { accessFlags: {} }, { headers: secret() });
      expect([reply.status, await roleOf(founder.user.id)]).to.deep.equal([200, undefined]);
    },

    'POST /api/services with an access token': async () => {
      const founder = await operator();
      const dev = await operator('dev');
      const { token } = await service().signUp();
      const post = (bearer: string, accessFlags: object) =>
        service().post('/api/services', { service: 'DROP', accessFlags }, { token: bearer });
      expectRefusal(await post(token, FLAGS), 403, 'operator_flags_protected');
      expectRefusal(
        await post(await tokenOf(dev), { ...FLAGS, operatorTeamRole: 'founder' }),
        403,
        'operator_flags_protected',
      );
      expectRefusal(await post(await tokenOf(founder), { isOperatorTeam: false }), 409, 'own_account');
      expect([await roleOf(founder.user.id), await roleOf(dev.user.id)]).to.deep.equal(['founder', 'dev']);
    },

    'POST /api/services with an access token and the internal secret': async () => {
      const founder = await operator();
      const { id, email, token } = await service().signUp();
      clearMails();
      const body = { service: 'DROP', accessFlags: FLAGS };
      const reply = await service().post('/api/services', body, { token, headers: secret() });
      expect([reply.status, await roleOf(id)]).to.deep.equal([200, 'dev']);
      await expectMails(email, APPOINTED, [founder]);
      expect(await lastRow(id)).to.include({ actor: 'internal', address: '127.0.0.1' });
      await operate().dismiss(id, CLI);
    },

    'gatehouse operator grant and operator revoke': async () => {
      const founder = await operator();
      const { id, email } = await service().signUp();
      clearMails();
      await operate().appoint(id, 'dev', { ...CLI, reason: REASON });
      await expectMails(email, APPOINTED, [founder]);
      const mail = service().mails.find(({ to, text }) => to === founder.user.email && text.includes(email));
      expect(mail?.text).to.include('operator:cli (Grace)');
      expect(await lastRow(id)).to.include({ ...CLI, reason: REASON });
      await operate().dismiss(id, CLI);
      await expectMails(email, DISMISSED, [founder]);
      await operate().dismiss(founder.user.id, CLI);
      expect(await roleOf(founder.user.id)).to.equal(undefined);
    },

    'gatehouse users import': async () => {
      const email = 'imported@example.com';
      const line = JSON.stringify({ email, tier: 'pro', accessFlags: FLAGS });
      const lines = async function* () {
        yield line;
        yield JSON.stringify({ email, tier: 'pro' });
      };
      const silent = { dryRun: false, onBad: () => {}, onProgress: () => {} };
      const counts = await operate().importUsers(lines(), silent, CLI);
      expect(counts).to.include({ added: 1, skipped: 1, bad: 0 });
      const { id } = await operate().findUser(email);
      expect(await roleOf(id)).to.equal(undefined);
    },
  };

  it('is tested for each documented call and command', () => {
    const untested = ['gatehouse store import and store restore', 'your own code'];
    expect(documentedChanges()).to.have.members([...Object.keys(CHANGES), ...CORE_CHANGES, ...untested]);
  });

  it('has the errors `own_account` and `last_founder` in the reference', () => {
    const routes = consoleRoutes(service().composition);
    const actionsOnOthers = listUserActions().filter(([, { allowsSelf }]) => allowsSelf === false);
    expect(actionsOnOthers).to.have.length(5);
    for (const [name, { console: form }] of actionsOnOthers) {
      const route = routes.find(
        ({ method, path }) =>
          `${method} ${path}` === `${form?.method ?? 'POST'} /api/admin/users/{userId}/${form?.path}`,
      );
      expect(route?.answers[409]?.errors, name).to.include.members(['own_account', 'last_founder']);
    }
  });

  for (const [name, test] of Object.entries(CHANGES)) it(name, test);
});

describe('The appointment by an access token with OPERATORS_NEED_2FA', () => {
  const service = useService({ OPERATORS_NEED_2FA: 'on' });

  it('requires a fresh second factor', async () => {
    const { user, app } = await makeOperator(service());
    const { id } = await service().signUp();
    const appoint = (token: string, operatorTeamRole: string) =>
      service().request('PATCH', `/api/admin/users/${id}`, {
        token,
        body: { service: 'DROP', accessFlags: { ...FLAGS, operatorTeamRole } },
      });
    const { email, password } = user;
    const login = { email, password, verificationCode: app.fresh() };
    const token = String((await service().post('/api/auth/login', login)).body.token);
    expect((await appoint(token, 'dev')).status).to.equal(200);
    service().clock.advance(ELEVEN_MINUTES_MS);
    expect(outcome(await appoint(token, 'founder'))).to.deep.equal([403, 'fresh_authentication_needed']);
  });
});
