import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { provider, providerIdentity } from '../../../support/scripted-providers.ts';
import { pendingTokenIn } from '../open-accounts.ts';
import { caller, codeOf, password } from '../open-core.ts';
import { linkTokenOf, openProviderFlow, tokenOf } from './provider-flow.ts';

const EMAIL = 'ada@example.com';

describe('A sign-in with a provider', () => {
  it('1: opens the account that has the identity, whatever the email is', async () => {
    const { signIn, accountAt, accounts } = await openProviderFlow();
    await signIn();
    const before = await accountAt(EMAIL);
    const second = await signIn(providerIdentity({ email: 'other@example.com', name: 'Somebody Else' }));
    const { user } = await accounts.authenticate(tokenOf(second));
    expect(user).to.deep.include({ id: before?.id, email: EMAIL, displayName: 'Ada Lovelace' });
    expect(user.oauthAccounts).to.have.length(1);
    expect(user.oauthAccounts[0]).to.deep.include({ email: 'other@example.com' });
    expect(user.oauthAccounts[0]).not.to.have.property('key');
  });

  it('2: creates a verified account without a password for an unknown email', async () => {
    const { signIn, accountAt, actionsAbout, mailsTo, events, accounts } = await openProviderFlow();
    const answer = await signIn();
    expect(tokenOf(answer)).not.to.equal('');
    const account = await accountAt(EMAIL);
    expect(account).to.deep.include({
      ...{
        verified: true,
        passwordHash: null,
        displayName: 'Ada Lovelace',
        avatar: null,
        registration: null,
      },
    });
    expect(account?.loginKeys).to.have.length(1);
    expect(await actionsAbout(EMAIL)).to.deep.equal(['account.created_by_provider']);
    expect((await mailsTo(EMAIL)).at(-1)?.text).to.include('Example ID');
    expect(events.map(({ type }) => type)).to.deep.equal(['user.created', 'user.verified']);
    const { session } = await accounts.authenticate(tokenOf(answer));
    expect(session.methods).to.deep.equal(['oidc']);
  });

  it('2: uses the picture as the avatar if the provider is set so', async () => {
    const { signIn, accountAt } = await openProviderFlow([provider({ picture: true })]);
    await signIn();
    expect(await accountAt(EMAIL)).to.deep.include({ avatar: 'https://id.example/ada.png' });
  });

  it('2: drops an invalid name, and creates the account', async () => {
    const { signIn, accountAt } = await openProviderFlow();
    await signIn(providerIdentity({ name: `Ada\u202e${'x'.repeat(200)}` }));
    expect(await accountAt(EMAIL)).to.deep.include({ displayName: null, verified: true });
  });

  it('3 (A2): opens an unverified account, and voids its password, code and name', async () => {
    const { signIn, accountAt, accounts, codeTo } = await openProviderFlow();
    await accounts.register({ email: EMAIL, password, displayName: 'A thief' }, caller);
    const code = await codeTo(EMAIL);
    const before = await accountAt(EMAIL);
    await signIn();
    const after = await accountAt(EMAIL);
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

  it('4 (A2): opens no verified account by its email, but the owner links it from a session', async () => {
    const { signIn, signUp, accountAt, providers, accounts } = await openProviderFlow();
    const { principal, id } = await signUp(EMAIL);
    const refusal = await rejectionOf(() => signIn());
    expect(refusal).to.include({ kind: 'conflict', code: 'account_exists' });
    const linkToken = linkTokenOf(refusal);
    expect((await accountAt(EMAIL))?.loginKeys).to.deep.equal([]);
    const result = await providers.confirmLink(await principal(), { linkToken }, caller);
    expect(result.oauthAccounts).to.have.length(1);
    const { user } = await accounts.authenticate(tokenOf(await signIn()));
    expect(user.id).to.equal(id);
    expect(await codeOf(providers.confirmLink(await principal(), { linkToken }, caller))).to.equal(
      'invalid_flow',
    );
  });

  it('4, 5: creates no account under an email to which a deleted account can be restored', async () => {
    const { signIn, signUp, accountAt, providers, accounts, codeTo } = await openProviderFlow();
    const { principal } = await signUp(EMAIL);
    const emailStep = await signIn(providerIdentity({ emailVerified: false }));
    const signUpToken = 'signUpToken' in emailStep ? emailStep.signUpToken : '';
    const next = 'new@example.com';
    await accounts.askEmailChange(await principal(), { email: next }, caller);
    await accounts.confirmEmailChange(await principal(), { code: await codeTo(next) }, caller);
    const code = await codeTo(EMAIL);
    await accounts.deleteAccount(await principal(), { password }, caller);
    expect(await codeOf(signIn())).to.equal('account_exists');
    expect(await codeOf(providers.signUp({ signUpToken, email: EMAIL }, caller))).to.equal('email_taken');
    expect(await accountAt(EMAIL)).to.equal(undefined);
    expect(await accounts.undoEmailChange({ email: EMAIL, code }, caller)).to.include({
      deletionUndone: true,
    });
  });

  it('5 (A1): asks for an email if the provider verified none, and requires its code and token', async () => {
    const { signIn, providers, accounts, accountAt, codeTo } = await openProviderFlow();
    const emailStep = await signIn(providerIdentity({ emailVerified: false }));
    if (!('requiresEmail' in emailStep)) throw new Error('The sign-in asked for no email.');
    expect(emailStep).to.include({ requiresEmail: true, email: EMAIL });
    expect(await accountAt(EMAIL)).to.equal(undefined);
    const { signUpToken } = emailStep;
    await providers.signUp({ signUpToken, email: 'Mine@Example.com' }, caller);
    const email = 'mine@example.com';
    const code = await codeTo(email);
    for (const credentials of [{}, { password }, { signUpToken: `${signUpToken}x` }])
      expect(await codeOf(accounts.verifyEmail({ email, code, ...credentials }, caller))).to.equal(
        'wrong_credentials',
      );
    const { user } = await accounts.verifyEmail({ email, code, signUpToken }, caller);
    expect(await accountAt(email)).to.deep.include({ id: user.id, passwordHash: null, registration: null });
    const second = await signIn(providerIdentity({ emailVerified: false }));
    expect((await accounts.authenticate(tokenOf(second))).user.id).to.equal(user.id);
  });

  it('5 (A3): loses its identity to a later registration, and voids an earlier password', async () => {
    const { signIn, providers, accounts, accountAt, codeTo } = await openProviderFlow();
    const emailStep = await signIn(providerIdentity({ email: null, emailVerified: false }));
    const signUpToken = 'signUpToken' in emailStep ? emailStep.signUpToken : '';
    await accounts.register({ email: EMAIL, password }, caller);
    await providers.signUp({ signUpToken, email: EMAIL }, caller);
    expect(await accountAt(EMAIL)).to.deep.include({ passwordHash: null });
    await accounts.register({ email: EMAIL, password }, caller);
    const code = await codeTo(EMAIL);
    expect(await accountAt(EMAIL)).to.deep.include({ registration: null });
    const verify = accounts.verifyEmail({ email: EMAIL, code, signUpToken }, caller);
    expect(await codeOf(verify)).to.equal('wrong_credentials');
    await accounts.verifyEmail({ email: EMAIL, code, password }, caller);
    expect((await accountAt(EMAIL))?.oauthAccounts).to.deep.equal([]);
  });

  it('5: is refused at the verification if another account has the identity by then', async () => {
    const { signIn, providers, accounts, codeTo } = await openProviderFlow();
    const withoutEmail = providerIdentity({ email: null, emailVerified: false });
    const emailStep = await signIn(withoutEmail);
    const signUpToken = 'signUpToken' in emailStep ? emailStep.signUpToken : '';
    await providers.signUp({ signUpToken, email: 'one@example.com' }, caller);
    await signIn(providerIdentity());
    const code = await codeTo('one@example.com');
    expect(
      await rejectionOf(() => accounts.verifyEmail({ email: 'one@example.com', code, signUpToken }, caller)),
    ).to.include({ kind: 'conflict', code: 'identity_taken' });
  });

  it('6: creates no account if sign-up is closed, but can be linked to an existing account', async () => {
    const { signIn, signUp, accountAt } = await openProviderFlow([provider({ signUp: false })]);
    expect(await rejectionOf(() => signIn())).to.include({ kind: 'forbidden', code: 'sign_up_closed' });
    const withoutEmail = signIn(providerIdentity({ email: null, emailVerified: false }));
    expect(await codeOf(withoutEmail)).to.equal('sign_up_closed');
    expect(await accountAt(EMAIL)).to.equal(undefined);
    await signUp(EMAIL);
    expect(await codeOf(signIn())).to.equal('account_exists');
  });

  it('7: requires the second factor of the account', async () => {
    const { signIn, accounts, turnOnFactor } = await openProviderFlow();
    const token = tokenOf(await signIn());
    const app = await turnOnFactor({ principal: () => accounts.authenticate(token) });
    const challenge = await signIn();
    expect(challenge).to.include({ requires2FA: true });
    const finish = { email: EMAIL, pendingToken: pendingTokenIn(challenge), verificationCode: app.fresh() };
    const { session } = await accounts.authenticate(tokenOf(await accounts.logIn(finish, caller)));
    expect(session.methods).to.deep.equal(['oidc', 'totp']);
  });

  it('7: is refused at its second factor if the identity was unlinked since', async () => {
    const { linkFlow, turnOnFactor, signIn, accounts, providers } = await openProviderFlow();
    const token = tokenOf(await signIn());
    const principal = () => accounts.authenticate(token);
    await providers.confirmLink(
      await principal(),
      await linkFlow(await principal(), providerIdentity({ subject: 'second' })),
      caller,
    );
    const app = await turnOnFactor({ principal });
    const pending = async (subject: string) => pendingTokenIn(await signIn(providerIdentity({ subject })));
    const [linkedToken, unlinkedToken] = [await pending(providerIdentity().subject), await pending('second')];
    const logIn = (pendingToken: string) =>
      accounts.logIn({ email: EMAIL, pendingToken, verificationCode: app.fresh() }, caller);
    const fresh = await accounts.authenticate(tokenOf(await logIn(linkedToken)));
    await providers.unlink(fresh, { provider: 'example', providerAccountId: 'second' }, caller);
    expect(await codeOf(logIn(unlinkedToken))).to.equal('wrong_credentials');
    expect(tokenOf(await logIn(await pending(providerIdentity().subject)))).not.to.equal('');
  });

  it('8: reports that the account is banned, and opens a session without access', async () => {
    const { signIn, accounts, accountAt } = await openProviderFlow();
    await signIn();
    const { id = '' } = (await accountAt(EMAIL)) ?? {};
    await accounts.operate.ban(id, { reason: 'spam', until: null }, { actor: 'operator:cli' });
    const answer = await signIn();
    expect(answer).to.include({ banned: true });
    expect(await codeOf(accounts.authenticate(tokenOf(answer)))).to.equal('account_banned');
  });

  it('5: counts a request for an email only with a valid token', async () => {
    const { runFlow, providers } = await openProviderFlow();
    const admitted: string[] = [];
    const signUp = (signUpToken: string) =>
      providers.signUp({ signUpToken, email: 'named@example.com' }, caller, async (key) => {
        admitted.push(key);
      });
    expect(await codeOf(signUp('x'))).to.equal('invalid_flow');
    expect(admitted).to.deep.equal([]);
    const emailStep = await providers.exchange(
      await runFlow(providerIdentity({ emailVerified: false })),
      caller,
    );
    await signUp('signUpToken' in emailStep ? emailStep.signUpToken : '');
    expect(admitted).to.have.length(1);
  });

  it('A16: creates a new account for a deleted user', async () => {
    const { signIn, accounts, accountAt } = await openProviderFlow();
    const answer = await signIn();
    const before = await accountAt(EMAIL);
    const principal = await accounts.authenticate(tokenOf(answer));
    await accounts.deleteAccount(principal, {}, caller);
    const second = await accounts.authenticate(tokenOf(await signIn()));
    expect(second.user.id).not.to.equal(before?.id);
  });
});
