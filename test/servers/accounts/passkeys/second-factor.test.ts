import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { logIn, logInAgain, makeApp, statusOfMe, turnOnFactor } from '../second-factor/factor.ts';
import { useStores } from '../stores.ts';
import { makePasskeyCalls, outcome, PASSKEYS_ON } from './passkey-calls.ts';

const REFUSED = [401, 'invalid_passkey'];
const MINUTE = 60_000;

describe('A passkey as second factor', () => {
  const service = useService(PASSKEYS_ON);
  const stores = useStores(service);
  const { add, post, prove, remove, second, signed } = makePasskeyCalls(service);

  const turnOn = async (user: User) => {
    const { status, body } = await post('2fa/passkey', { enable: true }, user);
    expect(status).to.equal(200);
    return Array.from(body.recoveryCodes as unknown as Iterable<string>);
  };
  const signUpWithPasskeyFactor = async (
    ...behaviour: Parameters<typeof add> extends [unknown, ...infer Rest] ? Rest : never
  ) => {
    const user = await service().signUp();
    const passkey = await add(user, ...behaviour);
    return { user, ...passkey, recoveryCodes: await turnOn(user) };
  };

  it('is not required only because the account has a passkey', async () => {
    const user = await service().signUp();
    await add(user);
    const { status, body } = await logIn(service(), user);
    expect([status, body.requires2FA]).to.deep.equal([200, undefined]);
  });

  it('replaces the code of an app, and requires no PIN (B3)', async () => {
    const user = await service().signUp();
    const { credential } = await add(user, { userVerified: false });
    await turnOnFactor(service(), user);
    const challenge = await logIn(service(), user);
    expect(challenge.body.methods).to.deep.equal(['totp', 'passkey', 'recovery']);
    const { pendingToken } = challenge.body;
    const begun = await post('login/second/begin', { email: user.email, pendingToken });
    expect(begun.body.options).to.deep.include({
      rpId: 'example.com',
      userVerification: 'preferred',
      allowCredentials: [{ type: 'public-key', id: credential.id, transports: ['hybrid', 'internal'] }],
    });
    const { status, body } = await second(user, credential);
    expect(status).to.equal(200);
    expect(await statusOfMe(service(), String(body.token))).to.equal(200);
    const sessions = await stores().sessions.list(user.id);
    expect(sessions.map(({ methods }) => methods)).to.deep.include(['password', 'passkey']);
  });

  it('is accepted for one login of its account (B2, B4)', async () => {
    const { user, credential } = await signUpWithPasskeyFactor();
    const other = await signUpWithPasskeyFactor();
    const { email } = user;
    const { pendingToken } = (await logIn(service(), user)).body;
    const begun = await post('login/second/begin', { email, pendingToken });
    const foreign = signed(begun, other.credential);
    expect(outcome(await post('login', { email, pendingToken, passkey: foreign }))).to.deep.equal(REFUSED);
    const otherPendingToken = (await logIn(service(), other.user)).body.pendingToken;
    const elsewhere = { email: other.user.email, pendingToken: otherPendingToken, passkey: foreign };
    expect(outcome(await post('login', elsewhere))).to.deep.equal(REFUSED);
    const passkey = signed(begun, credential);
    expect((await post('login', { email, pendingToken, passkey })).status).to.equal(200);
    const next = (await logIn(service(), user)).body.pendingToken;
    expect(outcome(await post('login', { email, pendingToken: next, passkey }))).to.deep.equal(REFUSED);
  });

  it('begins only with a valid pending token, and excludes a code in the same call', async () => {
    const { user } = await signUpWithPasskeyFactor();
    const { email } = user;
    for (const body of [
      { email, pendingToken: 'x' },
      { email: 'nobody@example.com', pendingToken: 'x' },
    ])
      expect(outcome(await post('login/second/begin', body))).to.deep.equal([401, 'wrong_credentials']);
    expect(outcome(await post('login', { email, pendingToken: 'x' }))).to.deep.equal([400, 'code_required']);
    const { pendingToken } = (await logIn(service(), user)).body;
    const begun = await post('login/second/begin', { email, pendingToken });
    const both = {
      email,
      pendingToken,
      passkey: { flow: begun.body.flow, credential: {} },
      verificationCode: '1',
    };
    expect(outcome(await post('login', both))).to.deep.equal([400, 'one_factor_only']);
  });

  it('is turned on without an app, with recovery codes for clients without passkeys', async () => {
    const user = await service().signUp();
    expect(outcome(await post('2fa/passkey', { enable: true }, user))).to.deep.equal([409, 'no_passkey']);
    expect(outcome(await post('2fa/passkey', { enable: false }, user))).to.deep.equal([
      409,
      'two_factor_off',
    ]);
    const { credential } = await add(user, { userVerified: false });
    const other = await logInAgain(service(), user);
    const codes = await turnOn(user);
    expect(codes).to.have.length(10);
    expect(await statusOfMe(service(), other.token)).to.equal(401);
    expect(outcome(await post('2fa/passkey', { enable: true }, user))).to.deep.equal([
      403,
      'fresh_authentication_needed',
    ]);

    const profile = await service().request('GET', '/api/auth/me', { token: user.token });
    expect(profile.body.user?.twoFactorEnabled).to.equal(true);
    const challenge = await logIn(service(), user);
    expect(challenge.body.methods).to.deep.equal(['passkey', 'recovery']);
    expect(challenge.body.message).not.to.include('app');
    expect((await second(user, credential)).status).to.equal(200);
    expect(outcome(await logIn(service(), user, { verificationCode: '000000' }))).to.deep.equal([
      401,
      'invalid_two_factor_code',
    ]);
    const { status, body } = await logIn(service(), user, { verificationCode: codes[0] ?? '' });
    expect(status).to.equal(200);
    const off = { enable: false, verificationCode: codes[1] ?? '' };
    expect((await post('2fa', off, { token: String(body.token) })).status).to.equal(200);
    expect((await logIn(service(), user)).body.requires2FA).to.equal(undefined);
    await stores().settled();
    expect(await stores().actionsAbout(user.id)).to.deep.equal([
      'passkey.added',
      'two_factor.passkey_on',
      'two_factor.recovery_code_used',
      'two_factor.recovery_code_used',
      'two_factor.disabled',
    ]);
  });

  it('is turned off after a proof by the passkey', async () => {
    const { user, credential } = await signUpWithPasskeyFactor();
    const stale = await post('2fa/passkey', { enable: false }, user);
    expect(outcome(stale)).to.deep.equal([403, 'fresh_authentication_needed']);
    expect(stale.body.methods).to.deep.equal(['password', 'passkey', 'recovery']);
    expect((await prove(user, credential)).status).to.equal(200);
    expect((await post('2fa/passkey', { enable: true }, user)).body.code).to.equal('two_factor_on');
    const { status, body } = await post('2fa/passkey', { enable: false }, user);
    expect([status, body]).to.deep.equal([200, { success: true }]);
    expect((await logIn(service(), user)).body.requires2FA).to.equal(undefined);
  });

  it('can be joined by an app after a proof, and is accepted beside it once turned off', async () => {
    const { user, credential } = await signUpWithPasskeyFactor();
    const begin = () => post('2fa', { enable: true, password: user.password }, user);
    expect(outcome(await begin())).to.deep.equal([403, 'fresh_authentication_needed']);
    await prove(user, credential);
    const { body } = await begin();
    const app = makeApp(service(), String(body.secret));
    const confirmed = await post(
      '2fa',
      { enable: true, verificationCode: app.fresh(), secret: app.secret },
      user,
    );
    expect(confirmed.body.recoveryCodes).to.have.length(10);
    expect(outcome(await begin())).to.deep.equal([409, 'two_factor_on']);
    expect((await logIn(service(), user)).body.methods).to.deep.equal(['totp', 'passkey', 'recovery']);
    expect((await post('2fa/passkey', { enable: false }, user)).status).to.equal(200);
    expect(outcome(await post('2fa/passkey', { enable: false }, user))).to.deep.equal([
      409,
      'two_factor_off',
    ]);
    expect((await second(user, credential)).status).to.equal(200);
    expect((await logIn(service(), user, { verificationCode: app.fresh() })).status).to.equal(200);
  });

  it('cannot be removed while it is the last second factor', async () => {
    const { user, credential, id } = await signUpWithPasskeyFactor();
    await prove(user, credential);
    expect(outcome(await remove(user, id))).to.deep.equal([409, 'last_second_factor']);
    const spare = await add(user);
    expect((await remove(user, id)).status).to.equal(200);
    expect(outcome(await remove(user, spare.id))).to.deep.equal([409, 'last_second_factor']);
    await turnOnFactor(service(), user);
    expect((await remove(user, spare.id)).status).to.equal(200);
    expect((await logIn(service(), user)).body.methods).to.deep.equal(['totp', 'recovery']);
  });

  it('is refused once it was copied, and the other factors stay (B6)', async () => {
    const { user, credential, recoveryCodes } = await signUpWithPasskeyFactor({ counter: 9 });
    expect((await second(user, credential)).status).to.equal(200);
    expect(outcome(await second(user, credential, { counter: 2 }))).to.deep.equal(REFUSED);
    expect((await logIn(service(), user)).body.methods).to.deep.equal(['recovery']);
    const code = { verificationCode: recoveryCodes[0] ?? '' };
    expect((await logIn(service(), user, code)).status).to.equal(200);
  });

  it('is a fresh proof alone with a PIN, and otherwise only with the password', async () => {
    const { user, credential } = await signUpWithPasskeyFactor({ userVerified: false });
    service().clock.advance(11 * MINUTE);
    const { password } = user;
    const begun = await post('reauthenticate/passkey/begin', {}, user);
    expect(begun.body.options?.userVerification).to.equal('preferred');
    expect(outcome(await prove(user, credential))).to.deep.equal(REFUSED);
    expect(outcome(await prove(user, credential, {}, { password: 'wrong' }))).to.deep.equal([
      401,
      'wrong_credentials',
    ]);
    expect((await prove(user, credential, {}, { password })).status).to.equal(200);
    const provedMethods = async () =>
      (await stores().sessions.list(user.id)).map(({ methods }) => methods.join(' '));
    expect(await provedMethods()).to.include('password passkey');
    const { status, body } = await prove(user, credential, { userVerified: true });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('success', 'freshUntil');
    expect(await provedMethods()).to.include('passkey');
  });

  it('is a fresh proof once, in the session that began it (B2)', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    expect(outcome(await post('reauthenticate/passkey/begin', {}, user))).to.deep.equal([409, 'no_passkey']);
    const { credential } = await add(user);
    const passkey = signed(await post('reauthenticate/passkey/begin', {}, user), credential);
    expect(outcome(await post('reauthenticate', { passkey }, other))).to.deep.equal(REFUSED);
    const { status, body } = await post('reauthenticate', { passkey }, user);
    expect(status).to.equal(200);
    expect(body).not.to.have.any.keys('token', 'refreshToken');
    expect(outcome(await post('reauthenticate', { passkey }, user))).to.deep.equal(REFUSED);
  });
});
