import { expect } from 'chai';
import { password } from '../admin/open-admin-accounts.ts';
import { openAccounts, newPassword as otherPassword, tokensIn, useAccounts } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

describe('Deletion of an account by its owner', () => {
  const core = useAccounts();

  it('accepts a recovery code as the second factor, and sends a last mail', async () => {
    const { accounts, mailsTo, signUpWithFactor } = core();
    const { app, email, principal } = await signUpWithFactor();
    const remove = async (verificationCode: string, enteredPassword = password) =>
      codeOf(
        accounts.deleteAccount(await principal(), { password: enteredPassword, verificationCode }, caller),
      );
    expect(await remove(app.fresh(), 'a wrong one')).to.equal('wrong_credentials');
    expect(await remove(app.recoveryCodes[0] ?? '')).to.equal('done');
    for (const call of [accounts.resendVerification, accounts.requestPasswordReset])
      expect(await codeOf(call({ email }, caller))).to.equal('done');
    expect((await mailsTo(email)).at(-1)?.subject).to.equal('Your Gatehouse account was deleted');
  });

  it('returns success, and is logged with address and request', async () => {
    const { accounts, lines, signUp } = core();
    const { id, principal } = await signUp();
    const by = { ...caller, requestId: 'a-request' };
    expect(await accounts.deleteAccount(await principal(), { password }, by)).to.deep.equal({
      success: true,
    });
    const fields = { userId: id, address: caller.address, requestId: 'a-request' };
    expect(lines.filter(({ event }) => event === 'account.deleted')).to.deep.equal([
      { level: 'info', event: 'account.deleted', fields },
    ]);
  });

  it('is refused for a session that ended after it was authenticated', async () => {
    const { accounts, isActive, logIn, operate, signUp } = core();
    const { email, principal } = await signUp();
    const endedPrincipal = await principal();
    await operate.endSessions(email, { actor: 'operator:cli' });
    expect(await codeOf(accounts.deleteAccount(endedPrincipal, { password }, caller))).to.equal(
      'wrong_credentials',
    );
    expect(await isActive(tokensIn(await logIn(email)).token)).to.equal(true);
  });

  it('does not wait for a concurrent change of founders', async () => {
    let openGate: () => void = () => undefined;
    let gatedId: string | undefined;
    const gate = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    const { accounts, operate, signUp } = await openAccounts({}, ({ accounts: store }) => ({
      accounts: {
        ...store,
        save: async (account) => {
          if (account.id === gatedId) await gate;
          return store.save(account);
        },
      },
    }));
    const [ada, eve] = [await signUp(), await signUp('eve@example.com')];
    await operate.appoint(eve.id, 'founder', { actor: 'operator:cli' });
    gatedId = eve.id;
    const dismissal = operate.dismiss(eve.id, { actor: 'operator:cli' });
    expect(await codeOf(accounts.deleteAccount(await ada.principal(), { password }, caller))).to.equal(
      'done',
    );
    openGate();
    expect(await dismissal).to.include({ changed: true });
  });

  it('needs no password if the account has none', async () => {
    const { accounts, edit, isActive, signUp } = core();
    const { id, token, principal } = await signUp();
    await edit(id, { passwordHash: null });
    await accounts.deleteAccount(await principal(), {}, caller);
    expect(await isActive(token)).to.equal(false);
  });

  it('erases personal data, and frees the email for a new account', async () => {
    const { account, accounts, codeTo, logIn, settle, signUpWithFactor } = core();
    const { app, id, email, principal } = await signUpWithFactor('very.personal@example.com');
    await accounts.updateProfile(await principal(), { displayName: 'Ada L.' });
    const proof = { password, verificationCode: app.fresh() };
    await accounts.deleteAccount(await principal(), proof, caller);
    await settle();
    const tombstone = await account(id);
    expect(tombstone).to.deep.include({
      displayName: null,
      twoFactor: null,
      knownAddresses: [],
      pending: [],
    });
    expect(JSON.stringify(tombstone)).not.to.match(/personal|Ada L|hash of/);

    await accounts.register({ email, password: otherPassword }, caller);
    expect(await codeOf(logIn(email))).to.equal('wrong_credentials');
    const { user } = await accounts.verifyEmail({ email, code: await codeTo(email) }, caller);
    expect(user).to.deep.equal({ id: user.id, email, displayName: null, avatar: null });
    expect(user.id).not.to.equal(id);
    expect(await logIn(email, { password: otherPassword })).to.have.property('token');
  });

  it('publishes one event if two requests run concurrently', async () => {
    const { accounts, events, settle, signUp } = core();
    const principal = await (await signUp()).principal();
    const remove = () => codeOf(accounts.deleteAccount(principal, { password }, caller));
    const outcomes = await Promise.all([remove(), remove()]);
    expect(outcomes).to.include('done');
    expect(['done', 'wrong_credentials', 'invalid_token']).to.include.members(outcomes);
    await settle();
    const ids = events.filter(({ type }) => type === 'user.deleted').map(({ id }) => id);
    expect(new Set(ids).size).to.equal(1);
  });

  it('is logged once if a concurrent call deletes the account first', async () => {
    let fasterCall: (() => Promise<unknown>) | undefined;
    const { accounts, lines, signUp } = await openAccounts({}, ({ accounts: store }) => ({
      accounts: {
        ...store,
        save: async (account) => {
          const first = fasterCall;
          fasterCall = undefined;
          await first?.();
          return store.save(account);
        },
      },
    }));
    const principal = await (await signUp()).principal();
    const remove = () => codeOf(accounts.deleteAccount(principal, { password }, caller));
    fasterCall = remove;
    expect(await remove()).to.equal('done');
    expect(lines.filter(({ event }) => event === 'account.deleted')).to.have.length(1);
  });
});
