import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { signDelivery } from '../../adapters/signed-deliveries/signature.ts';
import { makePasskeyCalls, PASSKEYS_ON } from '../servers/accounts/passkeys/passkey-calls.ts';
import { smallestPng } from '../servers/accounts/profile/avatars.ts';
import { makeApp } from '../servers/accounts/second-factor/factor.ts';
import { DECODED_SECRET } from '../support/deliver-event.ts';
import { provider, scriptedProviders } from '../support/scripted-providers.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { makeExamples } from './examples.ts';
import { sendProviderExamples } from './provider-examples.ts';

const EMAIL = 'ada@example.com';
const SECRET = randomBytes(32).toString('hex');
const REDIRECT = 'https://app.example.com/signed-in';

describe('The examples of the account service', () => {
  const providers = scriptedProviders([provider({ id: 'google', formPost: true })]);
  const service = useService(
    {
      INTERNAL_SECRET: SECRET,
      WEBHOOK_SECRETS: DECODED_SECRET,
      COOKIE_SESSIONS: 'on',
      ...PASSKEYS_ON,
      SIGN_IN_REDIRECTS: REDIRECT,
    },
    { providers: providers.port },
  );
  const examples = makeExamples('accounts', () => service().url);
  const { send, upload, left } = examples;
  const secret = { 'x-internal-secret': SECRET };
  let token = '';
  let refreshToken = '';
  let id = '';

  const logIn = async () => {
    const { body } = await send('POST /api/auth/login');
    token = String(body.token);
    refreshToken = String(body.refreshToken);
    id = String(body.user?.id);
  };
  const bodyWith = (body: Readonly<Record<string, unknown>>) => ({ token, body });
  const resetPassword = async () => {
    const mails = () => service().mails.filter(({ subject }) => subject.endsWith('password reset code'));
    const { length } = mails();
    await send('POST /api/auth/password-reset');
    await until(() => mails().length > length);
    const [code = ''] = /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(mails().at(-1)?.text ?? '') ?? [];
    await send('POST /api/auth/password-reset/confirm', { body: { code } });
  };

  it('sign up, sign in and refresh', async () => {
    await send('POST /api/auth/register');
    await send('POST /api/auth/resend-verification');
    await send('POST /api/auth/verify-email', { body: { code: await service().codeFor(EMAIL, 2) } });
    await logIn();
    await send('POST /api/auth/refresh', { body: { refreshToken } });
    await send('POST /api/auth/introspect', { headers: secret, body: { token } });
    await send('POST /api/auth/logout', { token });
  });

  it('keep a session in a cookie, and authorize an app', async () => {
    const own = { 'Sec-Fetch-Site': 'same-origin' };
    const { headers } = await send('POST /api/auth/login', { headers: { ...own, 'X-Session': 'cookie' } });
    const [cookie = ''] = headers.getSetCookie()[0]?.split(';') ?? [];
    await send('POST /api/auth/session/token', { headers: { ...own, Cookie: cookie } });
    const { body } = await send('POST /api/auth/handover', { headers: { ...own, Cookie: cookie } });
    await send('POST /api/auth/handover/redeem', { body: { code: body.code } });
  });

  it('reset and change the password', async () => {
    await resetPassword();
    await logIn();
    const { body } = await send('POST /api/auth/password', bodyWith({}));
    token = String(body.token);
  });

  it('read and change the account and its sessions', async () => {
    await send('POST /api/auth/reauthenticate', { token });
    await send('GET /api/auth/me', { token });
    await send('PATCH /api/auth/me', { token });
    await send('GET /api/auth/security', { token });
    const other = await service().post('/api/auth/login', {
      email: EMAIL,
      password: 'correct horse battery',
    });
    const { body } = await send('GET /api/auth/sessions', { token: String(other.body.token) });
    expect(body.sessions).to.have.length(2);
    const others = (body.sessions as unknown as readonly { id: string; current: boolean }[]).find(
      ({ current }) => current,
    );
    await send('DELETE /api/auth/sessions/{id}', { token, path: { id: others?.id ?? '' } });
    await send('DELETE /api/auth/sessions', { token });
  });

  it('change the email and undo the change', async () => {
    const asked = await send('POST /api/auth/email', bodyWith({ email: 'new@example.com' }));
    expect(asked.body.email).to.equal('new@example.com');
    await send('DELETE /api/auth/email', { token });
    await send('POST /api/auth/email', bodyWith({ email: 'new@example.com' }));
    const code = await service().codeFor('new@example.com', 2);
    await send('POST /api/auth/email/confirm', bodyWith({ code }));
    await until(() => service().mails.some(({ to, text }) => to === EMAIL && text.includes('7 days')));
    const { text = '' } = service().mails.findLast(({ to }) => to === EMAIL) ?? {};
    const [undo = ''] = /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(text) ?? [];
    const undone = await send('POST /api/auth/email/undo', { body: { code: undo } });
    // The session that changed the email had set the password.
    expect(undone.body).to.have.nested.property('removed.password', true);
    await resetPassword();
    await logIn();
  });

  it('add a passkey, sign in and reauthenticate with it, and remove it', async () => {
    const { created, signed } = makePasskeyCalls(service);
    await send('POST /api/auth/reauthenticate', { token });
    const begun = await send('POST /api/auth/passkeys/begin', { token });
    const { credential, body } = created(begun);
    const added = await send('POST /api/auth/passkeys', bodyWith(body));
    const path = { id: String(added.body.passkey?.id) };
    await send('GET /api/auth/passkeys', { token });
    await send('PATCH /api/auth/passkeys/{id}', { token, path });
    const login = await send('POST /api/auth/login/passkey/begin');
    await send('POST /api/auth/login/passkey', { body: signed(login, credential) });
    const proof = async () => {
      const asked = await send('POST /api/auth/reauthenticate/passkey/begin', { token });
      await send('POST /api/auth/reauthenticate', bodyWith({ passkey: signed(asked, credential) }));
    };
    await send('POST /api/auth/2fa/passkey', { token });
    const { body: challenge } = await send('POST /api/auth/login');
    const { pendingToken } = challenge;
    const second = await send('POST /api/auth/login/second/begin', { body: { pendingToken } });
    await send('POST /api/auth/login', { body: { pendingToken, passkey: signed(second, credential) } });
    await proof();
    await send('POST /api/auth/2fa/passkey', bodyWith({ enable: false }));
    await send('DELETE /api/auth/passkeys/{id}', { token, path });
    await send('GET /.well-known/webauthn');
  });

  it('set, read and remove an avatar', async () => {
    await upload('POST /api/avatar', Uint8Array.from(smallestPng), token);
    await send('GET /api/avatar', { token });
    await send('DELETE /api/avatar', { token });
  });

  it('sign in with a provider, link a provider, and reauthenticate with it', () =>
    sendProviderExamples(examples, providers, token));

  it('set entitlements and connections', async () => {
    await send('POST /api/services', { token });
    await send('GET /api/services', { token });
    await send('POST /api/connect/connect', { token });
    await send('GET /api/connect/check', { token });
    await send('POST /api/connect/disconnect', { token });
  });

  it('list users, and grant one a tier', async () => {
    await send('GET /api/admin/users', { headers: secret });
    await send('POST /api/admin/users/search', { headers: secret });
    await send('GET /api/admin/users/stats', { headers: secret });
    await send('PATCH /api/admin/users/{userId}', { headers: secret, path: { userId: id } });
  });

  it('set and verify a custom domain', async () => {
    const enterprise = { path: { userId: id }, body: { tier: 'enterprise' } };
    await send('PATCH /api/admin/users/{userId}', { headers: secret, ...enterprise });
    const { body } = await send('POST /api/user/custom-domain', { token });
    await send('GET /api/user/custom-domain', { token });
    service().dns.set(String(body.verification?.name), String(body.verification?.value));
    await send('POST /api/user/custom-domain/verify', { token });
    await send('DELETE /api/user/custom-domain', { token });
  });

  it('buy a plan in the sandbox, and manage it', async () => {
    await send('GET /api/billing/plans');
    const { headers } = await send('GET /api/billing/checkout', { token, status: 303 });
    const checkout = { path: { token: headers.get('location')?.split('/').at(-1) ?? '' } };
    await send('GET /sandbox/billing/checkout/{token}', checkout);
    await send('POST /sandbox/billing/checkout/{token}/pay', checkout);
    await until(async () => (await service().request('GET', '/api/subscription', { token })).status === 200);
    await send('GET /api/subscription', { token });
    const portal = await send('GET /api/billing/portal', { token, status: 307 });
    const page = { path: { token: portal.headers.get('location')?.split('/').at(-1) ?? '' } };
    const { body } = await send('GET /sandbox/billing/portal/{token}', page);
    const [, subscription = ''] = /portal\/[^/"]+\/([^/"]+)\/cancel"/.exec(String(body)) ?? [];
    await send('POST /sandbox/billing/portal/{token}/{id}/{button}', {
      path: { ...page.path, id: subscription, button: 'cancel' },
    });
    await send('GET /billing/success');
    await send('GET /billing/return');
  });

  it('deliver an event that the provider has signed', async () => {
    await send('POST /api/webhooks/drop', {
      headers: (body) => signDelivery(DECODED_SECRET, { id: 'msg_2b7d', body }, Date.now()),
    });
  });

  it('turn on a second factor, and renew its recovery codes', async () => {
    const { body } = await send('POST /api/auth/2fa', { token });
    const app = makeApp(service(), String(body.secret));
    await send('POST /api/auth/2fa', bodyWith({ verificationCode: app.fresh(), secret: app.secret }));
    await send('POST /api/auth/login');
    await send('POST /api/auth/login', { body: { verificationCode: app.fresh() } });
    await send('POST /api/auth/2fa/recovery-codes', bodyWith({ verificationCode: app.fresh() }));
    await send('POST /api/auth/delete-account', bodyWith({ verificationCode: app.fresh() }));
  });

  it('read the health of the service and the keys of its tokens', async () => {
    await send('GET /health');
    await send('GET /api/health');
    await send('GET /health/ready');
    await send('GET /.well-known/jwks.json');
    await send('GET /openapi.json');
    await send('GET /docs');
    await send('GET /docs/{file}');
  });

  it('are sent for every operation', () => {
    expect(left()).to.deep.equal([]);
  });
});
