import { expect } from 'chai';
import { makeLoginKeys } from '../../../../core/accounts/claim-login-keys.ts';
import { type LoginKeyClaim, passkeyKey } from '../../../../core/accounts/login-key.ts';
import { unavailable } from '../../../../core/errors.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { samplePasskey } from '../../../contracts/transfer-samples.ts';
import { makePng } from '../../../support/images/png.ts';
import { by, password } from '../admin/open-operated.ts';
import { claimed } from '../login-keys/claimed.ts';
import { caller } from '../open-core.ts';
import { NEW, OLD, useOwner } from './open-owner.ts';

const DAY = 86_400_000;

type Owner = Awaited<ReturnType<ReturnType<typeof useOwner>>>;

describe('A deletion while a change of the email can be taken back', () => {
  const owner = useOwner();
  const deleted = async (prepare: (context: Owner) => Promise<unknown> = async () => undefined) => {
    const context = await owner();
    await prepare(context);
    const { accounts, change, clock, events, operate, settle, id, who } = context;
    await operate.setTier(id, { tier: 'pro' }, { actor: 'operator:cli', reason: 'a test' });
    const code = await change();
    expect(await accounts.deleteAccount(await who(), { password }, caller)).to.deep.equal({ success: true });
    await settle();
    const isTold = () => events.some(({ type }) => type === 'user.deleted');
    return { ...context, code, isTold, pass: clock.advance };
  };

  it('lets nobody in, and shows nothing of the account', async () => {
    const { accounts, account, id, isTold, mails, ports, token } = await deleted();
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
    expect(isTold()).to.equal(false);
  });

  it('is taken back with the change, at the last moment, too', async () => {
    const { accounts, account, code, isTold, pass, settle, undo, rowsAbout, id } = await deleted();
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
    expect(isTold()).to.equal(false);
    const actions = (await rowsAbout(id)).map(({ action }) => action);
    expect(actions).to.include.members(['account.deletion_asked', 'email.change_undone']);
  });

  it('spends the recovery code that it was done with, and tells so', async () => {
    const { accounts, change, makeFactorOlder, rowsAbout, id, turnOnFactor, undo, who } = await owner();
    const { recoveryCodes } = await turnOnFactor();
    await makeFactorOlder();
    const code = await change();
    const [verificationCode = ''] = recoveryCodes;
    await accounts.deleteAccount(await who(), { password, verificationCode }, caller);
    await undo(code);
    const again = accounts.logIn({ email: OLD, password, verificationCode }, caller);
    expect(await rejectionOf(() => again)).to.include({ code: 'invalid_two_factor_code' });
    expect((await rowsAbout(id)).map(({ action }) => action)).to.include('two_factor.recovery_code_used');
  });

  it('leaves the payment provider to be asked for what it told meanwhile', async () => {
    const { account, clock, code, undo } = await deleted(({ accounts, clock, id }) =>
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

  describe('reserves the former email', () => {
    const TAKEN = { kind: 'conflict', code: 'email_taken' };
    const register = ({ accounts }: Owner) => accounts.register({ email: OLD, password }, caller);

    it('from which a new registration gives way to the undo', async () => {
      const context = await deleted();
      await register(context);
      expect((await context.ports.accounts.findByEmail(OLD))?.verified).to.equal(false);
      expect(await context.undo(context.code)).to.include({ deletionUndone: true });
      expect(await rejectionOf(() => register(context))).to.include(TAKEN);
    });

    it('which nobody verifies who registered before', async () => {
      const context = await owner();
      const { accounts, change, codeTo, settle, undo, who } = context;
      const code = await change();
      await register(context);
      const verification = await codeTo(OLD);
      await accounts.deleteAccount(await who(), { password }, caller);
      await settle();
      const verify = () => accounts.verifyEmail({ email: OLD, code: verification, password }, caller);
      expect(await rejectionOf(verify)).to.include(TAKEN);
      expect(await undo(code)).to.include({ deletionUndone: true });
      expect(await codeTo(OLD)).to.equal(verification);
    });

    it('to which no other account changes its email', async () => {
      const context = await deleted();
      const { accounts, mails, settle, signUp, undo, code, who } = context;
      const eve = await signUp('eve@example.com');
      const sent = mails.filter(({ to }) => to === OLD).length;
      const requested = await accounts.askEmailChange(await who(eve.token), { email: OLD }, caller);
      expect(requested).to.include({ email: OLD });
      await settle();
      expect(mails.filter(({ to }) => to === OLD)).to.have.length(sent);
      expect(await undo(code)).to.include({ deletionUndone: true });
    });

    it('to which no other account changes its email that asked before', async () => {
      const context = await owner();
      const { accounts, change, codeTo, settle, signUp, undo, who } = context;
      const code = await change();
      const eve = await signUp('eve@example.com');
      await accounts.askEmailChange(await who(eve.token), { email: OLD }, caller);
      const requested = await codeTo(OLD);
      await accounts.deleteAccount(await who(), { password }, caller);
      await settle();
      const confirm = async () =>
        accounts.confirmEmailChange(await who(eve.token), { code: requested }, caller);
      expect(await rejectionOf(confirm)).to.include(TAKEN);
      expect(await undo(code)).to.include({ deletionUndone: true });
    });

    it('until the seven days are over', async () => {
      const context = await deleted();
      context.pass(7 * DAY);
      expect(await register(context)).to.include({ email: OLD });
    });
  });

  it('takes effect after the seven days, and is told then', async () => {
    const { account, code, isTold, pass, settle, undo, ports } = await deleted();
    pass(7 * DAY);
    expect(await rejectionOf(() => undo(code))).to.include({ code: 'invalid_code' });
    await settle();
    expect(await account()).to.deep.include({ waitingDeletion: null, formerEmails: [], pending: [] });
    expect((await account()).deletedAt).to.be.a('number');
    expect(isTold()).to.equal(true);
    expect(await ports.accounts.listByFormerEmail(OLD)).to.deep.equal([]);
  });

  it('is done at once where no change of the email can be taken back', async () => {
    const { accounts, account, events, settle, who } = await owner();
    await accounts.deleteAccount(await who(), { password }, caller);
    await settle();
    expect(await account()).to.deep.include({ waitingDeletion: null, pending: [] });
    expect(events.some(({ type }) => type === 'user.deleted')).to.equal(true);
  });

  it('leaves nobody that operators find, list or count, and rows without an address', async () => {
    const { operate, id } = await deleted();
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

  describe('with a custom domain', () => {
    const DOMAIN = 'files.example.dev';
    const withDomain = async ({ accounts, dns, operate, id, who }: Owner) => {
      await operate.setTier(id, { tier: 'enterprise' }, by());
      const { verification } = await accounts.setCustomDomain(await who(), { domain: DOMAIN }, caller);
      dns.set(verification.name, verification.value);
      await accounts.verifyCustomDomain(await who(), caller);
    };
    /** After two days and the daily look-ups, with another user who wants the domain. */
    const wanted = async () => {
      const context = await deleted(withDomain);
      const { accounts, operate, pass, signUp, who } = context;
      const eve = await signUp('eve@example.com');
      await operate.setTier(eve.id, { tier: 'enterprise' }, by());
      pass(2 * DAY);
      expect(await accounts.background.checkCustomDomains()).to.equal(1);
      const claim = async () => accounts.setCustomDomain(await who(eve.token), { domain: DOMAIN }, caller);
      return { ...context, claim };
    };

    it('keeps it for the owner who comes back', async () => {
      const { account, claim, code, undo } = await wanted();
      expect(await rejectionOf(claim)).to.include({ code: 'domain_taken' });
      await undo(code);
      expect((await account()).customDomain).to.include({ domain: DOMAIN, verified: true });
      expect(await rejectionOf(claim)).to.include({ code: 'domain_taken' });
    });

    it('frees it when it takes effect', async () => {
      const { account, claim, pass, settle } = await wanted();
      pass(5 * DAY);
      await settle();
      expect((await account()).customDomain).to.equal(null);
      expect(await claim()).to.include({ domain: DOMAIN });
    });
  });

  describe('with a passkey', () => {
    const CREDENTIAL = 'credential';
    const keysOf = ({ ports }: Owner) => makeLoginKeys(ports);
    const keyOf = ({ ports }: Owner) => passkeyKey(ports.digest, CREDENTIAL);
    const withPasskey = async (context: Owner) => {
      const { account, edit, id } = context;
      const namedAccount = await claimed(keysOf(context), await account(), keyOf(context));
      const passkeys = [{ ...samplePasskey, credentialId: CREDENTIAL, createdAt: 0 }];
      await edit(id, { passkeys, loginKeys: [namedAccount] });
    };

    it('gives its key back with the account', async () => {
      const context = await deleted(withPasskey);
      const { code, id, undo } = context;
      expect(await keysOf(context).find(keyOf(context))).to.equal(undefined);
      expect((await undo(code)).removed.passkeys).to.deep.equal([]);
      const keyOwner = await keysOf(context).find(keyOf(context));
      expect([keyOwner?.account.id, keyOwner?.claimed]).to.deep.equal([id, true]);
    });

    it('gives its key back even where a task for an earlier claim, which read the tombstone, runs after that', async () => {
      const earlier: LoginKeyClaim[] = [];
      const context = await deleted(async (owner) => {
        await withPasskey(owner);
        earlier.push(...(await owner.account()).loginKeys);
        // The passkey was removed and added again.
        await withPasskey(owner);
      });
      const { account, code, id, undo } = context;
      const tombstone = await account();
      await undo(code);
      for (const claim of earlier) await keysOf(context).free(tombstone, claim);
      const keyOwner = await keysOf(context).find(keyOf(context));
      expect([keyOwner?.account.id, keyOwner?.claimed]).to.deep.equal([id, true]);
    });

    it('leaves a key to the account that claimed it since, and says so', async () => {
      const context = await deleted(withPasskey);
      const { account, code, edit, ports, settle, signUp, undo } = context;
      const eve = await signUp('eve@example.com');
      const other = (await ports.accounts.find(eve.id)) ?? expect.fail('There is no account.');
      await edit(eve.id, { loginKeys: [await claimed(keysOf(context), other, keyOf(context))] });
      expect((await undo(code)).removed.passkeys).to.deep.equal([samplePasskey.name]);
      await settle();
      expect(await account()).to.deep.include({ passkeys: [], loginKeys: [] });
      const keyOwner = await keysOf(context).find(keyOf(context));
      expect([keyOwner?.account.id, keyOwner?.claimed]).to.deep.equal([eve.id, true]);
    });

    it('takes away no key while the store is down, and gives it back afterwards', async () => {
      const context = await deleted(withPasskey);
      const { code, ports, undo } = context;
      const { replace } = ports.loginKeys;
      ports.loginKeys.replace = () => Promise.reject(unavailable('store_unavailable', 'Down.'));
      expect(await rejectionOf(() => undo(code))).to.include({ code: 'store_unavailable' });
      ports.loginKeys.replace = replace;
      expect((await undo(code)).removed.passkeys).to.deep.equal([]);
    });

    it('has the claim of another fail that was begun before it was taken back', async () => {
      const context = await deleted(withPasskey);
      const { account, code, id, ports, signUp, undo } = context;
      const eve = await signUp('eve@example.com');
      const other = (await ports.accounts.find(eve.id)) ?? expect.fail('There is no account.');
      const namedAccount = await claimed(keysOf(context), other, keyOf(context));
      await undo(code);
      expect(await ports.accounts.save({ ...other, loginKeys: [namedAccount] })).to.equal(false);
      expect((await account()).loginKeys).to.have.length(1);
      expect((await keysOf(context).find(keyOf(context)))?.account.id).to.equal(id);
    });
  });

  it('keeps the avatar for the owner who comes back', async () => {
    const setAvatar = async ({ accounts, who }: Owner) => accounts.setAvatar(await who(), makePng(), caller);
    const { accounts, account, code, pass, ports, undo } = await deleted(setAvatar);
    pass(DAY);
    expect(await accounts.background.sweepAvatars()).to.equal(0);
    await undo(code);
    expect(await ports.objects.find((await account()).avatar ?? '')).to.deep.equal(makePng());
  });

  it('erases what the id finds where the key that sealed the account is gone', async () => {
    const forgotten: string[] = [];
    const context = await deleted(async ({ ports }) => {
      ports.userBilling.forget = async (userId) => void forgotten.push(userId);
    });
    const { account, id, isTold, lines, mails, pass, ports, settle } = context;
    ports.sealer.open = () => undefined;
    pass(7 * DAY);
    const sent = mails.length;
    await settle();
    expect(await account()).to.deep.include({ waitingDeletion: null, formerEmails: [], pending: [] });
    expect(isTold()).to.equal(true);
    expect(forgotten).to.deep.equal([id]);
    expect(mails).to.have.length(sent);
    expect(lines.map(({ event }) => event)).to.include('account.deletion_unopenable');
  });

  it('waits as long where the clock was set back', async () => {
    const { account, code, isTold, pass, settle, undo } = await deleted();
    pass(-DAY);
    await settle();
    expect(isTold()).to.equal(false);
    expect((await account()).pending).to.have.length(1);
    pass(2 * DAY);
    await settle();
    expect(await undo(code)).to.include({ deletionUndone: true });
  });
});
