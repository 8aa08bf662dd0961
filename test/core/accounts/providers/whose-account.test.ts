import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { codeAt } from '../../../servers/accounts/second-factor/factor.ts';
import { person, provider } from '../../../support/scripted-providers.ts';
import { password } from '../admin/open-operated.ts';
import { caller } from '../open-core.ts';
import { linkTokenOf, openTravel, tokenOf } from './provider-flow.ts';

const EMAIL = 'ada@example.com';

describe('Whose account a sign-in with a provider opens', () => {
  it('1: the one that has the identity, whatever emails say', async () => {
    const { signIn, account, accounts } = await openTravel();
    await signIn();
    const before = await account(EMAIL);
    const again = await signIn(person({ email: 'other@example.com', name: 'Somebody Else' }));
    const { user } = await accounts.authenticate(tokenOf(again));
    expect(user).to.deep.include({ id: before?.id, email: EMAIL, displayName: 'Ada Lovelace' });
    expect(user.oauthAccounts).to.have.length(1);
    expect(user.oauthAccounts[0]).to.deep.include({ email: 'other@example.com' });
    expect(user.oauthAccounts[0]).not.to.have.property('key');
  });

  it('2: a new one, verified and without a password, for an email that nobody has', async () => {
    const { signIn, account, rowsAbout, mailTo, events, accounts } = await openTravel();
    const answer = await signIn();
    expect(tokenOf(answer)).not.to.equal('');
    const made = await account(EMAIL);
    expect(made).to.deep.include({
      ...{
        verified: true,
        passwordHash: null,
        displayName: 'Ada Lovelace',
        avatar: null,
        registration: null,
      },
    });
    expect(made?.loginKeys).to.have.length(1);
    expect(await rowsAbout(EMAIL)).to.deep.equal(['account.created_by_provider']);
    expect((await mailTo(EMAIL))?.text).to.include('Example ID');
    expect(events.map(({ type }) => type)).to.deep.equal(['user.created', 'user.verified']);
    const { session } = await accounts.authenticate(tokenOf(answer));
    expect(session.methods).to.deep.equal(['oidc']);
  });

  it('2: takes the picture for an avatar where the settings say so', async () => {
    const { signIn, account } = await openTravel([provider({ picture: true })]);
    await signIn();
    expect(await account(EMAIL)).to.deep.include({ avatar: 'https://id.example/ada.png' });
  });

  it('2: drops a name that would be refused, and keeps the rest', async () => {
    const { signIn, account } = await openTravel();
    await signIn(person({ name: `Ada\u202e${'x'.repeat(200)}` }));
    expect(await account(EMAIL)).to.deep.include({ displayName: null, verified: true });
  });

  it('3 (A2): an unverified one, of which nothing stays that waits for the owner', async () => {
    const { signIn, account, accounts, codeTo } = await openTravel();
    await accounts.register({ email: EMAIL, password, displayName: 'A thief' }, caller);
    const code = await codeTo(EMAIL);
    const before = await account(EMAIL);
    await signIn();
    const after = await account(EMAIL);
    expect(after).to.deep.include({
      ...{ id: before?.id, verified: true, passwordHash: null, displayName: 'Ada Lovelace' },
      ...{ verification: null, knownAddresses: after?.knownAddresses },
    });
    expect(after?.sessionEpoch).to.equal((before?.sessionEpoch ?? 0) + 1);
    for (const attack of [
      () => accounts.logIn({ email: EMAIL, password }, caller),
      () => accounts.verifyEmail({ email: EMAIL, code, password }, caller),
    ])
      expect(await rejectionOf(attack)).to.include({ kind: 'unauthenticated' });
  });

  it('4 (A2): never a verified one by its email; its owner links it from a session', async () => {
    const { signIn, register, account, providers, accounts } = await openTravel();
    const { who, id } = await register(EMAIL);
    const refusal = await rejectionOf(() => signIn());
    expect(refusal).to.include({ kind: 'conflict', code: 'account_exists' });
    const linkToken = linkTokenOf(refusal);
    expect((await account(EMAIL))?.loginKeys).to.deep.equal([]);
    const linked = await providers.confirmLink(await who(), { linkToken }, caller);
    expect(linked.oauthAccounts).to.have.length(1);
    const { user } = await accounts.authenticate(tokenOf(await signIn()));
    expect(user.id).to.equal(id);
    expect(
      await rejectionOf(async () => providers.confirmLink(await who(), { linkToken }, caller)),
    ).to.include({
      code: 'invalid_flow',
    });
  });

  it('4, 5: nobody new under an email to which a deleted account can still go back', async () => {
    const { signIn, register, account, providers, accounts, codeTo, mailTo } = await openTravel();
    const { who } = await register(EMAIL);
    const asked = await signIn(person({ emailVerified: false }));
    const signUpToken = 'signUpToken' in asked ? asked.signUpToken : '';
    const next = 'new@example.com';
    await accounts.askEmailChange(await who(), { email: next }, caller);
    await accounts.confirmEmailChange(await who(), { code: await codeTo(next) }, caller);
    const [, code = ''] = /^ {4}(\S+)$/m.exec((await mailTo(EMAIL))?.text ?? '') ?? [];
    await accounts.deleteAccount(await who(), { password }, caller);
    expect(await rejectionOf(() => signIn())).to.include({ code: 'account_exists' });
    const signUp = () => providers.signUp({ signUpToken, email: EMAIL }, caller);
    expect(await rejectionOf(signUp)).to.include({ code: 'email_taken' });
    expect(await account(EMAIL)).to.equal(undefined);
    expect(await accounts.undoEmailChange({ email: EMAIL, code }, caller)).to.include({
      deletionUndone: true,
    });
  });

  it('5 (A1): asks for an email where the provider vouches for none, and opens by code and token alone', async () => {
    const { signIn, providers, accounts, account, codeTo } = await openTravel();
    const asked = await signIn(person({ emailVerified: false }));
    if (!('requiresEmail' in asked)) throw new Error('It asked for no email.');
    expect(asked).to.include({ requiresEmail: true, email: EMAIL });
    expect(await account(EMAIL)).to.equal(undefined);
    const { signUpToken } = asked;
    await providers.signUp({ signUpToken, email: 'Mine@Example.com' }, caller);
    const email = 'mine@example.com';
    const code = await codeTo(email);
    for (const wrong of [{}, { password }, { signUpToken: `${signUpToken}x` }])
      expect(await rejectionOf(() => accounts.verifyEmail({ email, code, ...wrong }, caller))).to.include({
        code: 'wrong_credentials',
      });
    const { user } = await accounts.verifyEmail({ email, code, signUpToken }, caller);
    expect(await account(email)).to.deep.include({ id: user.id, passwordHash: null, registration: null });
    const again = await signIn(person({ emailVerified: false }));
    expect((await accounts.authenticate(tokenOf(again))).user.id).to.equal(user.id);
  });

  it('5 (A3): a later registration drops the identity, and the identity drops an earlier password', async () => {
    const { signIn, providers, accounts, account, codeTo } = await openTravel();
    const asked = await signIn(person({ email: null, emailVerified: false }));
    const signUpToken = 'signUpToken' in asked ? asked.signUpToken : '';
    await accounts.register({ email: EMAIL, password }, caller);
    await providers.signUp({ signUpToken, email: EMAIL }, caller);
    expect(await account(EMAIL)).to.deep.include({ passwordHash: null });
    await accounts.register({ email: EMAIL, password }, caller);
    const code = await codeTo(EMAIL);
    expect(await account(EMAIL)).to.deep.include({ registration: null });
    expect(
      await rejectionOf(() => accounts.verifyEmail({ email: EMAIL, code, signUpToken }, caller)),
    ).to.include({ code: 'wrong_credentials' });
    await accounts.verifyEmail({ email: EMAIL, code, password }, caller);
    expect((await account(EMAIL))?.oauthAccounts).to.deep.equal([]);
  });

  it('5: refuses at the end when another account has the identity by then', async () => {
    const { signIn, providers, accounts, codeTo } = await openTravel();
    const nameless = person({ email: null, emailVerified: false });
    const asked = await signIn(nameless);
    const signUpToken = 'signUpToken' in asked ? asked.signUpToken : '';
    await providers.signUp({ signUpToken, email: 'one@example.com' }, caller);
    await signIn(person());
    const code = await codeTo('one@example.com');
    expect(
      await rejectionOf(() => accounts.verifyEmail({ email: 'one@example.com', code, signUpToken }, caller)),
    ).to.include({ kind: 'conflict', code: 'identity_taken' });
  });

  it('6: nobody new where sign-up is closed; who has an account links it still', async () => {
    const { signIn, register, account } = await openTravel([provider({ signUp: false })]);
    expect(await rejectionOf(() => signIn())).to.include({ kind: 'forbidden', code: 'sign_up_closed' });
    expect(await rejectionOf(() => signIn(person({ email: null, emailVerified: false })))).to.include({
      code: 'sign_up_closed',
    });
    expect(await account(EMAIL)).to.equal(undefined);
    await register(EMAIL);
    expect(await rejectionOf(() => signIn())).to.include({ code: 'account_exists' });
  });

  it('7: asks for the second factor, whatever the provider asked for', async () => {
    const { signIn, accounts, ports } = await openTravel();
    const token = tokenOf(await signIn());
    const who = await accounts.authenticate(token);
    const setup = await accounts.configureTwoFactor(who, { enable: true }, caller);
    const secret = 'secret' in setup ? setup.secret : '';
    const now = ports.clock.now();
    const first = codeAt(secret, now - 30_000);
    await accounts.configureTwoFactor(who, { enable: true, secret, verificationCode: first }, caller);
    const challenge = await signIn();
    expect(challenge).to.include({ requires2FA: true });
    const pendingToken = 'pendingToken' in challenge ? challenge.pendingToken : '';
    const finish = { email: EMAIL, pendingToken, verificationCode: codeAt(secret, now) };
    const { session } = await accounts.authenticate(tokenOf(await accounts.logIn(finish, caller)));
    expect(session.methods).to.deep.equal(['oidc', 'totp']);
  });

  it('7: ends a login that waits for its second factor when the identity is unlinked', async () => {
    const { travel, signIn, accounts, providers, ports } = await openTravel();
    const who = await accounts.authenticate(tokenOf(await signIn()));
    const { code, verifier } = await travel(person({ subject: 'second' }));
    const { linkToken } = await rejectionOf(() => providers.exchange({ code, verifier }, caller)).then(
      (refusal) => ({ linkToken: linkTokenOf(refusal) }),
    );
    await providers.confirmLink(who, { linkToken }, caller);
    const setup = await accounts.configureTwoFactor(who, { enable: true }, caller);
    const secret = 'secret' in setup ? setup.secret : '';
    const now = ports.clock.now();
    const first = codeAt(secret, now - 30_000);
    await accounts.configureTwoFactor(who, { enable: true, secret, verificationCode: first }, caller);
    const pending = async (subject: string) => {
      const challenge = await signIn(person({ subject }));
      return 'pendingToken' in challenge ? challenge.pendingToken : '';
    };
    const [kept, gone] = [await pending(person().subject), await pending('second')];
    const logIn = (pendingToken: string, at: number) =>
      accounts.logIn({ email: EMAIL, pendingToken, verificationCode: codeAt(secret, at) }, caller);
    const fresh = await accounts.authenticate(tokenOf(await logIn(kept, now)));
    await providers.unlink(fresh, { provider: 'example', providerAccountId: 'second' }, caller);
    expect(await rejectionOf(() => logIn(gone, now + 30_000))).to.include({ code: 'wrong_credentials' });
    const linked = await pending(person().subject);
    expect(tokenOf(await logIn(linked, now + 30_000))).not.to.equal('');
  });

  it('8: says of a banned account that it is, and adds no identity to it', async () => {
    const { signIn, accounts, account } = await openTravel();
    await signIn();
    const { id = '' } = (await account(EMAIL)) ?? {};
    await accounts.operate.ban(id, { reason: 'spam', until: null }, { actor: 'operator:cli' });
    const answer = await signIn();
    expect(answer).to.include({ banned: true });
    expect(await rejectionOf(() => accounts.authenticate(tokenOf(answer)))).to.include({
      code: 'account_banned',
    });
  });

  it('5: counts what is asked for an email only by who has a token', async () => {
    const { travel, providers } = await openTravel();
    const admitted: string[] = [];
    const signUp = (signUpToken: string) =>
      providers.signUp({ signUpToken, email: 'named@example.com' }, caller, async (key) => {
        admitted.push(key);
      });
    expect(await rejectionOf(() => signUp('x'))).to.include({ code: 'invalid_flow' });
    expect(admitted).to.deep.equal([]);
    const asked = await providers.exchange(await travel(person({ emailVerified: false })), caller);
    await signUp('signUpToken' in asked ? asked.signUpToken : '');
    expect(admitted).to.have.length(1);
  });

  it('A16: a deleted user begins anew', async () => {
    const { signIn, accounts, account } = await openTravel();
    const answer = await signIn();
    const before = await account(EMAIL);
    const who = await accounts.authenticate(tokenOf(answer));
    await accounts.deleteAccount(who, {}, caller);
    const again = await accounts.authenticate(tokenOf(await signIn()));
    expect(again.user.id).not.to.equal(before?.id);
  });
});
