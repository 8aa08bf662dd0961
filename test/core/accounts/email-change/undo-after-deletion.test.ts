import { expect } from 'chai';
import { makeLoginKeys } from '../../../../core/accounts/claim-login-keys.ts';
import { type LoginKeyClaim, passkeyKey } from '../../../../core/accounts/login-key.ts';
import { unavailable } from '../../../../core/errors.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { samplePasskey } from '../../../contracts/transfer-samples.ts';
import { makePng } from '../../../support/images/png.ts';
import { by, password } from '../admin/open-admin-accounts.ts';
import { claimKey } from '../login-keys/claim-key.ts';
import { caller } from '../open-core.ts';
import { NEW, OLD, useOwner } from './open-owner.ts';

const DAY = 86_400_000;

type Owner = Awaited<ReturnType<ReturnType<typeof useOwner>>>;

describe('A deletion while a change of the email can be undone', () => {
  const owner = useOwner();
  const openDeleted = async (prepare: (context: Owner) => Promise<unknown> = async () => undefined) => {
    const context = await owner();
    await prepare(context);
    const { accounts, change, clock, events, operate, settle, id, principal } = context;
    await operate.setTier(id, { tier: 'pro' }, { actor: 'operator:cli', reason: 'a test' });
    const code = await change();
    expect(await accounts.deleteAccount(await principal(), { password }, caller)).to.deep.equal({
      success: true,
    });
    await settle();
    const isPublished = () => events.some(({ type }) => type === 'user.deleted');
    return { ...context, code, isPublished, pass: clock.advance };
  };

  it('refuses tokens and sign-ins, and hides the account', async () => {
    const { accounts, account, id, isPublished, mails, ports, token } = await openDeleted();
    expect(await rejectionOf(() => accounts.authenticate(token))).to.include({ code: 'invalid_token' });
    for (const email of [OLD, NEW]) {
      expect(await rejectionOf(() => accounts.logIn({ email, password }, caller))).to.include({
        code: 'wrong_credentials',
      });
      expect(await ports.accounts.findByEmail(email)).to.equal(undefined);
      expect(mails.findLast(({ to }) => to === email)?.text.replace(/\s+/g, ' ')).to.contain(
        'its data is kept until',
      );
    }
    const stored = await account();
    expect(stored).to.deep.include({ email: '', passwordHash: null, entitlements: [] });
    expect(JSON.stringify({ ...stored, formerEmails: [] })).not.to.contain(NEW);
    expect(await ports.sessions.list(id)).to.deep.equal([]);
    expect(isPublished()).to.equal(false);
  });

  it('is undone with the change, also one minute before the end', async () => {
    const { accounts, account, code, isPublished, pass, settle, undo, rowsAbout, id } = await openDeleted();
    pass(7 * DAY - 60_000);
    expect(await undo(code)).to.deep.include({ success: true, deletionUndone: true });
    await settle();
    const restored = await account();
    expect(restored).to.deep.include({
      email: OLD,
      deletedAt: null,
      waitingDeletion: null,
      formerEmails: [],
    });
    expect(restored?.entitlements).to.have.length(1);
    expect(await accounts.logIn({ email: OLD, password }, caller)).to.have.property('token');
    pass(DAY);
    await settle();
    expect((await account()).email).to.equal(OLD);
    expect(isPublished()).to.equal(false);
    const actions = (await rowsAbout(id)).map(({ action }) => action);
    expect(actions).to.include.members(['account.deletion_asked', 'email.change_undone']);
  });

  it('spends the recovery code that authorized it, with an audit row', async () => {
    const { accounts, change, makeFactorOlder, rowsAbout, id, turnOnFactor, undo, principal } = await owner();
    const { recoveryCodes } = await turnOnFactor();
    await makeFactorOlder();
    const code = await change();
    const [verificationCode = ''] = recoveryCodes;
    await accounts.deleteAccount(await principal(), { password, verificationCode }, caller);
    await undo(code);
    const signIn = accounts.logIn({ email: OLD, password, verificationCode }, caller);
    expect(await rejectionOf(() => signIn)).to.include({ code: 'invalid_two_factor_code' });
    expect((await rowsAbout(id)).map(({ action }) => action)).to.include('two_factor.recovery_code_used');
  });

  it('makes a query of the payment provider due if it is undone', async () => {
    const { account, clock, code, undo } = await openDeleted(({ accounts, clock, id }) =>
      accounts.subscribers.change(id, () => ({
        state: { customers: [], subscriptions: [], granted: true, answered: null, triedAt: null },
        ...{ plan: 'pro', since: clock.now(), dueAt: null, actor: 'provider' },
      })),
    );
    const before = clock.now();
    await undo(code);
    const { billing, billingDueAt } = await account();
    expect(billing?.restoredAt).to.equal(billingDueAt).and.be.above(before);
  });

  describe('The former email', () => {
    const TAKEN = { kind: 'conflict', code: 'email_taken' };
    const register = ({ accounts }: Owner) => accounts.register({ email: OLD, password }, caller);

    it('returns to the account by the undo despite a new registration', async () => {
      const context = await openDeleted();
      await register(context);
      expect((await context.ports.accounts.findByEmail(OLD))?.verified).to.equal(false);
      expect(await context.undo(context.code)).to.include({ deletionUndone: true });
      expect(await rejectionOf(() => register(context))).to.include(TAKEN);
    });

    it('cannot be verified by an earlier registration', async () => {
      const context = await owner();
      const { accounts, change, codeTo, settle, undo, principal } = context;
      const code = await change();
      await register(context);
      const verification = await codeTo(OLD);
      await accounts.deleteAccount(await principal(), { password }, caller);
      await settle();
      const verify = () => accounts.verifyEmail({ email: OLD, code: verification, password }, caller);
      expect(await rejectionOf(verify)).to.include(TAKEN);
      expect(await undo(code)).to.include({ deletionUndone: true });
      expect(await codeTo(OLD)).to.equal(verification);
    });

    it('gets no mail if another account requests it as its email', async () => {
      const context = await openDeleted();
      const { accounts, mails, settle, signUp, undo, code, principal } = context;
      const eve = await signUp('eve@example.com');
      const sent = mails.filter(({ to }) => to === OLD).length;
      const answer = await accounts.askEmailChange(await principal(eve.token), { email: OLD }, caller);
      expect(answer).to.include({ email: OLD });
      await settle();
      expect(mails.filter(({ to }) => to === OLD)).to.have.length(sent);
      expect(await undo(code)).to.include({ deletionUndone: true });
    });

    it('cannot be confirmed by another account that requested it earlier', async () => {
      const context = await owner();
      const { accounts, change, codeTo, settle, signUp, undo, principal } = context;
      const code = await change();
      const eve = await signUp('eve@example.com');
      await accounts.askEmailChange(await principal(eve.token), { email: OLD }, caller);
      const newCode = await codeTo(OLD);
      await accounts.deleteAccount(await principal(), { password }, caller);
      await settle();
      const confirm = async () =>
        accounts.confirmEmailChange(await principal(eve.token), { code: newCode }, caller);
      expect(await rejectionOf(confirm)).to.include(TAKEN);
      expect(await undo(code)).to.include({ deletionUndone: true });
    });

    it('can be registered after the seven days', async () => {
      const context = await openDeleted();
      context.pass(7 * DAY);
      expect(await register(context)).to.include({ email: OLD });
    });
  });

  it('takes effect after seven days, and publishes `user.deleted` then', async () => {
    const { account, code, isPublished, pass, settle, undo, ports } = await openDeleted();
    pass(7 * DAY);
    expect(await rejectionOf(() => undo(code))).to.include({ code: 'invalid_code' });
    await settle();
    expect(await account()).to.deep.include({ waitingDeletion: null, formerEmails: [], pending: [] });
    expect((await account()).deletedAt).to.be.a('number');
    expect(isPublished()).to.equal(true);
    expect(await ports.accounts.listByFormerEmail(OLD)).to.deep.equal([]);
  });

  it('takes effect at once if no change of the email can be undone', async () => {
    const { accounts, account, events, settle, principal } = await owner();
    await accounts.deleteAccount(await principal(), { password }, caller);
    await settle();
    expect(await account()).to.deep.include({ waitingDeletion: null, pending: [] });
    expect(events.some(({ type }) => type === 'user.deleted')).to.equal(true);
  });

  it('hides the user from operators, and leaves audit rows without an address', async () => {
    const { operate, id } = await openDeleted();
    for (const user of [id, OLD, NEW]) {
      for (const act of [
        () => operate.showUser(user),
        () => operate.deleteUser(user, by()),
        () => operate.appoint(user, 'dev', by()),
      ]) {
        expect(await rejectionOf(act)).to.include({ code: 'user_not_found' });
      }
    }
    expect(await operate.stats()).to.include({ total: 0, verified: 0 });
    for (const filter of [{}, { prefix: 'new' }, { flag: 'operator' }, { flag: 'unverified' }] as const) {
      expect((await operate.listDirectory(filter)).users).to.deep.equal([]);
    }
    const rows = [];
    for await (const row of operate.listAudit({ user: id })) rows.push(row);
    expect(rows.at(-1)).to.include({ action: 'account.deletion_asked', actor: id });
    expect(JSON.stringify(rows)).not.to.match(/ada@|new@/);
    expect(await operate.verifyAudit()).to.include({ intact: true });
  });

  describe('A custom domain of the account', () => {
    const DOMAIN = 'files.example.dev';
    const withDomain = async ({ accounts, dns, operate, id, principal }: Owner) => {
      await operate.setTier(id, { tier: 'enterprise' }, by());
      const { verification } = await accounts.setCustomDomain(await principal(), { domain: DOMAIN }, caller);
      dns.set(verification.name, verification.value);
      await accounts.verifyCustomDomain(await principal(), caller);
    };
    /** The deletion after two days and the daily checks, with another user who claims the domain. */
    const openClaimed = async () => {
      const context = await openDeleted(withDomain);
      const { accounts, operate, pass, signUp, principal } = context;
      const eve = await signUp('eve@example.com');
      await operate.setTier(eve.id, { tier: 'enterprise' }, by());
      pass(2 * DAY);
      expect(await accounts.background.checkCustomDomains()).to.equal(1);
      const claim = async () =>
        accounts.setCustomDomain(await principal(eve.token), { domain: DOMAIN }, caller);
      return { ...context, claim };
    };

    it('is reserved until an undo returns it to the owner', async () => {
      const { account, claim, code, undo } = await openClaimed();
      expect(await rejectionOf(claim)).to.include({ code: 'domain_taken' });
      await undo(code);
      expect((await account()).customDomain).to.include({ domain: DOMAIN, verified: true });
      expect(await rejectionOf(claim)).to.include({ code: 'domain_taken' });
    });

    it('is free when the deletion takes effect', async () => {
      const { account, claim, pass, settle } = await openClaimed();
      pass(5 * DAY);
      await settle();
      expect((await account()).customDomain).to.equal(null);
      expect(await claim()).to.include({ domain: DOMAIN });
    });
  });

  describe('The login key of a passkey', () => {
    const CREDENTIAL = 'credential';
    const keysOf = ({ ports }: Owner) => makeLoginKeys(ports);
    const keyOf = ({ ports }: Owner) => passkeyKey(ports.digest, CREDENTIAL);
    const withPasskey = async (context: Owner) => {
      const { account, edit, id } = context;
      const loginKey = await claimKey(keysOf(context), await account(), keyOf(context));
      const passkeys = [{ ...samplePasskey, credentialId: CREDENTIAL, createdAt: 0 }];
      await edit(id, { passkeys, loginKeys: [loginKey] });
    };

    it('returns with the account', async () => {
      const context = await openDeleted(withPasskey);
      const { code, id, undo } = context;
      expect(await keysOf(context).find(keyOf(context))).to.equal(undefined);
      expect((await undo(code)).removed.passkeys).to.deep.equal([]);
      const keyOwner = await keysOf(context).find(keyOf(context));
      expect([keyOwner?.account.id, keyOwner?.claimed]).to.deep.equal([id, true]);
    });

    it('returns even if a task that read the tombstone frees an earlier claim after the undo', async () => {
      const earlierClaims: LoginKeyClaim[] = [];
      const context = await openDeleted(async (owner) => {
        await withPasskey(owner);
        earlierClaims.push(...(await owner.account()).loginKeys);
        // The passkey was removed and added again.
        await withPasskey(owner);
      });
      const { account, code, id, undo } = context;
      const tombstone = await account();
      await undo(code);
      for (const claim of earlierClaims) await keysOf(context).free(tombstone, claim);
      const keyOwner = await keysOf(context).find(keyOf(context));
      expect([keyOwner?.account.id, keyOwner?.claimed]).to.deep.equal([id, true]);
    });

    it('stays with an account that claimed it since, and the undo reports the removed passkey', async () => {
      const context = await openDeleted(withPasskey);
      const { account, code, edit, ports, settle, signUp, undo } = context;
      const eve = await signUp('eve@example.com');
      const otherAccount = (await ports.accounts.find(eve.id)) ?? expect.fail('There is no account.');
      await edit(eve.id, { loginKeys: [await claimKey(keysOf(context), otherAccount, keyOf(context))] });
      expect((await undo(code)).removed.passkeys).to.deep.equal([samplePasskey.name]);
      await settle();
      expect(await account()).to.deep.include({ passkeys: [], loginKeys: [] });
      const keyOwner = await keysOf(context).find(keyOf(context));
      expect([keyOwner?.account.id, keyOwner?.claimed]).to.deep.equal([eve.id, true]);
    });

    it('returns at a second undo if the store is down at the first', async () => {
      const context = await openDeleted(withPasskey);
      const { code, ports, undo } = context;
      const { replace } = ports.loginKeys;
      ports.loginKeys.replace = () => Promise.reject(unavailable('store_unavailable', 'Down.'));
      expect(await rejectionOf(() => undo(code))).to.include({ code: 'store_unavailable' });
      ports.loginKeys.replace = replace;
      expect((await undo(code)).removed.passkeys).to.deep.equal([]);
    });

    it('cannot be saved by another account whose claim began before the undo', async () => {
      const context = await openDeleted(withPasskey);
      const { account, code, id, ports, signUp, undo } = context;
      const eve = await signUp('eve@example.com');
      const otherAccount = (await ports.accounts.find(eve.id)) ?? expect.fail('There is no account.');
      const loginKey = await claimKey(keysOf(context), otherAccount, keyOf(context));
      await undo(code);
      expect(await ports.accounts.save({ ...otherAccount, loginKeys: [loginKey] })).to.equal(false);
      expect((await account()).loginKeys).to.have.length(1);
      expect((await keysOf(context).find(keyOf(context)))?.account.id).to.equal(id);
    });
  });

  it('keeps the avatar for an undo', async () => {
    const setAvatar = async ({ accounts, principal }: Owner) =>
      accounts.setAvatar(await principal(), makePng(), caller);
    const { accounts, account, code, pass, ports, undo } = await openDeleted(setAvatar);
    pass(DAY);
    expect(await accounts.background.sweepAvatars()).to.equal(0);
    await undo(code);
    expect(await ports.objects.find((await account()).avatar ?? '')).to.deep.equal(makePng());
  });

  it('takes effect by the id alone if the sealed account cannot be opened', async () => {
    const forgottenIds: string[] = [];
    const context = await openDeleted(async ({ ports }) => {
      ports.userBilling.forget = async (userId) => void forgottenIds.push(userId);
    });
    const { account, id, isPublished, lines, mails, pass, ports, settle } = context;
    ports.sealer.open = () => undefined;
    pass(7 * DAY);
    const sent = mails.length;
    await settle();
    expect(await account()).to.deep.include({ waitingDeletion: null, formerEmails: [], pending: [] });
    expect(isPublished()).to.equal(true);
    expect(forgottenIds).to.deep.equal([id]);
    expect(mails).to.have.length(sent);
    expect(lines.map(({ event }) => event)).to.include('account.deletion_unopenable');
  });

  it('stays pending if the clock is set back', async () => {
    const { account, code, isPublished, pass, settle, undo } = await openDeleted();
    pass(-DAY);
    await settle();
    expect(isPublished()).to.equal(false);
    expect((await account()).pending).to.have.length(1);
    pass(2 * DAY);
    await settle();
    expect(await undo(code)).to.include({ deletionUndone: true });
  });
});
