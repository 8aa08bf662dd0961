import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';
import { logInAgain, statusOfMe, turnOnFactor } from '../second-factor/factor.ts';
import { useStores } from '../stores.ts';
import { makePasskeyCalls, outcome, PASSKEYS_ON } from './passkey-calls.ts';

const REFUSED = [401, 'invalid_passkey'];
const HOUR = 3_600_000;

describe('A login with a passkey', () => {
  const service = useService(PASSKEYS_ON);
  const records = useRecords(service);
  const stores = useStores(service);
  const { add, beginLogin, created, begin, list, logIn, post, remove, signed } = makePasskeyCalls(service);

  const signUpWithPasskey = async (
    ...behaviour: Parameters<typeof add> extends [unknown, ...infer Rest] ? Rest : never
  ) => {
    const user = await service().signUp();
    return { user, ...(await add(user, ...behaviour)) };
  };

  it('begins without a session, and allows every passkey', async () => {
    const { status, body } = await beginLogin();
    expect(status).to.equal(200);
    const { challenge } = body.options ?? {};
    expect(body.options).to.deep.equal({
      challenge,
      rpId: 'example.com',
      timeout: 300_000,
      allowCredentials: [],
      userVerification: 'required',
    });
  });

  it('returns the members of a login, and requires no second factor', async () => {
    const { user, credential } = await signUpWithPasskey();
    await turnOnFactor(service(), user);
    const { status, body } = await logIn(credential);
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('user', 'token', 'refreshToken', 'services', 'banned', 'disabled');
    expect(body.user?.id).to.equal(user.id);
    expect(await statusOfMe(service(), String(body.token))).to.equal(200);
    const sessions = await stores().sessions.list(user.id);
    expect(sessions.map(({ methods }) => methods)).to.deep.include(['passkey']);
    // A passkey is both factors, so calls that need a fresh proof succeed.
    expect((await begin({ token: String(body.token) })).status).to.equal(200);
  });

  it('reports that the account is banned', async () => {
    const { user, credential } = await signUpWithPasskey();
    await records().change(user.email, { banned: { reason: 'spam', at: 0, until: null } });
    expect((await logIn(credential)).body.banned).to.equal(true);
  });

  it('requires a PIN or a fingerprint (B3)', async () => {
    const { user, credential } = await signUpWithPasskey({ userVerified: false });
    expect(outcome(await logIn(credential))).to.deep.equal(REFUSED);
    expect((await list(user)).body.passkeys?.[0 as never]).to.include({ userVerified: false });
    expect((await logIn(credential, { userVerified: true })).status).to.equal(200);
    expect((await list(user)).body.passkeys?.[0 as never]).to.include({ userVerified: true });
    expect(outcome(await logIn(credential))).to.deep.equal(REFUSED);
    expect((await list(user)).body.passkeys?.[0 as never]).to.include({ userVerified: true });
  });

  it('refuses a wrong origin, challenge, flag, handle, signature or key alike (B1, B4)', async () => {
    const { user, credential } = await signUpWithPasskey();
    const other = await signUpWithPasskey();
    const behaviours = [
      { origin: 'https://evil.example' },
      { challenge: 'AAAA' },
      { backupEligible: true },
      { backedUp: true },
      { userHandle: null },
      { userHandle: other.credential.userHandle },
      { signature: (right: Buffer) => right.subarray(1) },
    ];
    const answers = [];
    for (const behaviour of behaviours) answers.push((await logIn(credential, behaviour)).body);
    const unregistered = created(await begin(user)).credential;
    answers.push((await logIn(unregistered)).body);
    answers.push((await logIn({ ...credential, privateKey: other.credential.privateKey })).body);
    for (const body of answers) expect(body).to.deep.equal(answers[0]);
    expect(answers[0]?.code).to.equal('invalid_passkey');
    expect((await logIn(credential)).status).to.equal(200);
  });

  it('accepts a challenge once, within 5 minutes, and a failure does not spend it (B2)', async () => {
    const { credential } = await signUpWithPasskey();
    const begun = await beginLogin();
    expect(
      outcome(await post('login/passkey', signed(begun, credential, { userVerified: false }))),
    ).to.deep.equal(REFUSED);
    const answer = signed(begun, credential);
    expect((await post('login/passkey', answer)).status).to.equal(200);
    expect(outcome(await post('login/passkey', answer))).to.deep.equal(REFUSED);
    expect(outcome(await post('login/passkey', signed(begun, credential)))).to.deep.equal(REFUSED);
    const late = signed(await beginLogin(), credential);
    service().clock.advance(5 * 60_000);
    expect(outcome(await post('login/passkey', late))).to.deep.equal(REFUSED);
  });

  it('refuses the challenge of a proof, and a proof refuses that of a login (B7)', async () => {
    const { user, credential } = await signUpWithPasskey();
    const proof = await post('reauthenticate/passkey/begin', {}, user);
    expect(outcome(await post('login/passkey', signed(proof, credential)))).to.deep.equal(REFUSED);
    const login = signed(await beginLogin(), credential);
    expect(outcome(await post('reauthenticate', { passkey: login }, user))).to.deep.equal(REFUSED);
    expect((await post('login/passkey', login)).status).to.equal(200);
  });

  it('is refused for a removed passkey and for a deleted account', async () => {
    const { user, credential, id } = await signUpWithPasskey();
    const spare = await add(user);
    expect((await remove(user, id)).status).to.equal(200);
    expect(outcome(await logIn(credential))).to.deep.equal(REFUSED);
    expect((await post('delete-account', { password: user.password }, user)).status).to.equal(200);
    expect(outcome(await logIn(spare.credential))).to.deep.equal(REFUSED);
    await stores().settled();
    // Another account may register the passkey now.
    const heir = await service().signUp();
    await add(heir, { id: Buffer.from(spare.credential.id, 'base64url') });
  });

  it('stores the counter at once, and the time of use once an hour', async () => {
    const counted = await signUpWithPasskey({ counter: 5 });
    const { user, credential } = await signUpWithPasskey();
    const readLastUsedAt = async () => (await stores().accounts.find(user.id))?.passkeys[0]?.lastUsedAt ?? 0;
    expect((await logIn(credential)).status).to.equal(200);
    const first = await readLastUsedAt();
    expect(first).to.be.greaterThan(0);
    service().clock.advance(HOUR / 2);
    expect((await logIn(credential)).status).to.equal(200);
    expect(await readLastUsedAt()).to.equal(first);
    service().clock.advance(HOUR);
    expect((await logIn(credential)).status).to.equal(200);
    expect(await readLastUsedAt()).to.be.greaterThan(first);

    expect((await logIn(counted.credential)).status).to.equal(200);
    expect((await stores().accounts.find(counted.user.id))?.passkeys[0]?.counter).to.equal(6);
  });

  it('accepts a lower counter of a passkey that can be backed up, and audits it (B6)', async () => {
    const { user, credential } = await signUpWithPasskey({ counter: 9, backupEligible: true });
    expect((await logIn(credential, { counter: 3 })).status).to.equal(200);
    expect((await stores().accounts.find(user.id))?.passkeys[0]?.counter).to.equal(9);
    await stores().settled();
    expect(await stores().actionsAbout(user.id)).to.deep.equal([
      'passkey.added',
      'passkey.counter_regressed',
    ]);
    expect(service().log.lines.some(({ event }) => event === 'passkey.counter_regressed')).to.equal(true);
  });

  it('refuses a copied device-bound passkey from then on, and notifies its owner (B6)', async () => {
    const { user, credential, id } = await signUpWithPasskey({ counter: 9 });
    expect(outcome(await logIn(credential, { counter: 9 }))).to.deep.equal(REFUSED);
    expect(outcome(await logIn(credential, { counter: 50 }))).to.deep.equal(REFUSED);
    const mail = await service().mailTo(user.email, 3);
    expect(mail.subject).to.equal('A passkey of your Gatehouse account may have been copied');
    await stores().settled();
    expect(service().mails.filter(({ to }) => to === user.email)).to.have.length(3);
    expect(await stores().actionsAbout(user.id)).to.deep.equal([
      'passkey.added',
      'passkey.counter_regressed',
    ]);
    // The passkey is no sign-in method any more, so that its owner may remove it.
    expect((await remove(user, id)).status).to.equal(200);
  });

  it('repairs a login key that a crash left half written', async () => {
    const { user, credential } = await signUpWithPasskey();
    const account = await stores().accounts.find(user.id);
    const loginKeys = (account?.loginKeys ?? []).map((loginKey) => ({ ...loginKey, mark: 'another' }));
    await records().change(user.email, { loginKeys });
    expect((await logIn(credential)).status).to.equal(200);
    const [loginKey] = (await stores().accounts.find(user.id))?.loginKeys ?? [];
    expect(loginKey?.mark).not.to.equal('another');
    expect((await stores().loginKeys.find(loginKey?.key ?? ''))?.mark).to.equal(loginKey?.mark);
  });

  it('keeps other sessions if a passkey is added or removed', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    const { id } = await add(user);
    expect(await statusOfMe(service(), other.token)).to.equal(200);
    expect((await remove(user, id)).status).to.equal(200);
    expect((await list(user)).body.passkeys).to.deep.equal([]);
    expect(await statusOfMe(service(), other.token)).to.equal(200);
  });

  it('logs its failure or success, without the credential id', async () => {
    const { user, credential } = await signUpWithPasskey();
    const lineCount = service().log.lines.length;
    await logIn(credential, { origin: 'https://evil.example' });
    await logIn(credential);
    const lines = service()
      .log.lines.slice(lineCount)
      .filter(({ event }) => !event.startsWith('mail.'));
    expect(lines.map(({ event }) => event)).to.deep.equal([
      'passkey.failed',
      'sign_in.failed',
      'sign_in.succeeded',
    ]);
    expect(lines[0]?.fields).to.include({ reason: 'origin', userId: user.id });
    expect(JSON.stringify(lines)).not.to.include(credential.id);
  });
});
