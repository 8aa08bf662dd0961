import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { openStorePorts } from '../../support/store-ports.ts';
import { until } from '../../support/until.ts';
import { openPage } from '../accounts/cookies/jar.ts';
import { signUpWithFactor } from '../accounts/second-factor/factor.ts';
import { operatorAt } from './opened.ts';

/** Members of records that hold what lets somebody in, or what is made of it. */
const SECRET = /hash|digest|secret|recovery|setup$|handle|known|key$|wrapped|spent/i;

/** The texts in a record under such a member, however deep. */
const secretsIn = (value: unknown, isSecret = false): readonly string[] => {
  if (typeof value === 'string') return isSecret && value.length >= 16 ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => secretsIn(one, isSecret || SECRET.test(name)));
};

describe('What the console shows and logs', () => {
  const service = useService({ COOKIE_SESSIONS: 'on' });

  it('has no secret of a user, an operator or the installation, nor anything made of one', async () => {
    const eve = await operatorAt(service());
    const { user, app } = await signUpWithFactor(service());
    const page = openPage(service());
    const login = { email: user.email, password: user.password, verificationCode: app.fresh() };
    await page.post('login', login, { 'X-Session': 'cookie' });
    // Mails with codes wait in the outbox from here on.
    service().mail.delivery = { outcome: 'again', after: null, failure: 'a test' };
    await service().post('/api/auth/password-reset', { email: user.email });
    await service().post('/api/auth/email', { email: 'new@example.com' }, { token: user.token });

    const about = `/api/admin/users/${user.id}`;
    const answers: string[] = [];
    const note = (text: unknown) => answers.push(JSON.stringify(text));
    for (const path of [
      ...['', '/sessions', '/audit', '/billing', '/mails'].map((one) => about + one),
      ...['directory', 'audit', 'mails', 'deliveries', 'statistics', 'health', 'keys', 'audit/verify'].map(
        (one) => `/api/admin/${one}`,
      ),
      '/api/auth/me',
    ]) {
      const reply = await eve.get(path);
      expect(reply.status, path).to.equal(200);
      note(reply.body);
    }
    for (const [method, path, body] of [
      ['POST', 'tier', { tier: 'pro' }],
      ['POST', 'ban', {}],
      ['POST', 'unban', {}],
      ['POST', 'export', {}],
      ['DELETE', 'sessions', {}],
    ] as const)
      note((await eve.act(method, `${about}/${path}`, body)).body);

    const store = openStorePorts(service().folder);
    const records = [
      ...[await store.accounts.find(user.id), await store.accounts.find(eve.user.id)],
      ...(await store.sessions.list(user.id)),
      ...(await store.sessions.list(eve.user.id)),
    ];
    const codesOf = async () =>
      (await store.outbox.listOf(user.id)).flatMap(({ entry: { sealedCode } }) => sealedCode ?? []);
    await until(async () => (await codesOf()).length > 0);
    const codes = await codesOf();
    await store.close();
    const secrets = [
      ...records.flatMap((record) => secretsIn(record)),
      ...codes,
      ...[user.password, user.token, user.refreshToken, app.secret, ...app.recoveryCodes],
      ...[eve.cookie, page.value(), eve.app.secret, ...eve.app.recoveryCodes],
      ...service().composition.internalSecrets,
    ];
    expect(secrets.length).to.be.greaterThan(50);
    note(service().log.lines);
    for (const secret of secrets)
      for (const text of answers) expect(text.includes(secret), `${secret} in ${text}`).to.equal(false);
  });
});
