import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { openStorePorts } from '../../support/store-ports.ts';
import { until } from '../../support/until.ts';
import { openPage } from '../accounts/cookies/jar.ts';
import { signUpWithFactor } from '../accounts/second-factor/factor.ts';
import { openSignedInOperator } from './console-client.ts';

/** Names of record members that contain credentials or values derived from them. */
const SECRET = /hash|digest|secret|recovery|setup$|handle|known|key$|wrapped|spent/i;

/** The texts under such members of a record, at any depth. */
const secretsIn = (value: unknown, isSecret = false): readonly string[] => {
  if (typeof value === 'string') return isSecret && value.length >= 16 ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => secretsIn(member, isSecret || SECRET.test(name)));
};

describe('The answers and the log of the console', () => {
  const service = useService({ COOKIE_SESSIONS: 'on' });

  it('contain no secret of a user, an operator or the installation, and no value derived from one', async () => {
    const eve = await openSignedInOperator(service());
    const { user, app } = await signUpWithFactor(service());
    const page = openPage(service());
    const login = { email: user.email, password: user.password, verificationCode: app.fresh() };
    await page.post('login', login, { 'X-Session': 'cookie' });
    // From here on, mails with codes stay in the outbox.
    service().mail.delivery = { outcome: 'again', after: null, failure: 'a test' };
    await service().post('/api/auth/password-reset', { email: user.email });
    await service().post('/api/auth/email', { email: 'new@example.com' }, { token: user.token });

    const about = `/api/admin/users/${user.id}`;
    const texts: string[] = [];
    const record = (value: unknown) => texts.push(JSON.stringify(value));
    for (const path of [
      ...['', '/sessions', '/audit', '/billing', '/mails'].map((path) => about + path),
      ...['directory', 'audit', 'mails', 'deliveries', 'statistics', 'health', 'keys', 'audit/verify'].map(
        (path) => `/api/admin/${path}`,
      ),
      '/api/auth/me',
    ]) {
      const reply = await eve.get(path);
      expect(reply.status, path).to.equal(200);
      record(reply.body);
    }
    for (const [method, path, body] of [
      ['POST', 'tier', { tier: 'pro' }],
      ['POST', 'ban', {}],
      ['POST', 'unban', {}],
      ['POST', 'export', {}],
      ['DELETE', 'sessions', {}],
    ] as const)
      record((await eve.act(method, `${about}/${path}`, body)).body);

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
    record(service().log.lines);
    for (const secret of secrets)
      for (const text of texts) expect(text.includes(secret), `${secret} in ${text}`).to.equal(false);
  });
});
