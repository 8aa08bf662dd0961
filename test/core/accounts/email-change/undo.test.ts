import { expect } from 'chai';
import { inRounds, race } from '../../../contracts/race.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { caller, codeOf, tokensIn } from '../open-core.ts';
import { NEW, OLD, useOwner } from './open-owner.ts';

const TAKERS = 'the taker of the account';
const NOTHING = { passkeys: [], identities: [], password: false, secondFactor: false };

describe('The undo of a change of email', () => {
  const owner = useOwner();

  it('returns the account to its owner alone, and voids the taker’s password, factor and codes', async () => {
    const { accounts, account, change, undo, codeTo, id, ports, turnOnFactor } = await owner();
    const code = await change();
    const app = await turnOnFactor();
    await accounts.requestPasswordReset({ email: NEW }, caller);
    const reset = await codeTo(NEW);
    await accounts.confirmPasswordReset({ email: NEW, code: reset, newPassword: TAKERS }, caller);
    const pending = await accounts.logIn({ email: NEW, password: TAKERS }, caller);
    const pendingToken = 'pendingToken' in pending ? pending.pendingToken : '';
    await accounts.requestPasswordReset({ email: NEW }, caller);
    const newest = await codeTo(NEW);
    expect(await undo(` ${code.toLowerCase().replace('-', ' ')}`)).to.deep.equal({
      success: true,
      removed: { passkeys: [], identities: [], password: true, secondFactor: true },
      deletionUndone: false,
    });

    expect(await account()).to.deep.include({
      ...{ email: OLD, verified: true, passwordHash: null, twoFactor: null, emailChange: null },
      ...{ formerEmails: [], knownAddresses: [], reset: null, oauthAccounts: [] },
    });
    expect(await ports.sessions.list(id)).to.deep.equal([]);
    for (const email of [OLD, NEW]) {
      for (const credentials of [{ password: TAKERS }, { pendingToken, verificationCode: app.fresh() }])
        expect(await codeOf(accounts.logIn({ email, ...credentials }, caller))).to.equal('wrong_credentials');
      const confirm = accounts.confirmPasswordReset({ email, code: newest, newPassword: TAKERS }, caller);
      expect(await codeOf(confirm)).to.equal('invalid_code');
    }
    await accounts.requestPasswordReset({ email: OLD }, caller);
    await accounts.confirmPasswordReset(
      { email: OLD, code: await codeTo(OLD), newPassword: password },
      caller,
    );
    expect(await accounts.logIn({ email: OLD, password }, caller)).to.have.property('token');
  });

  it('keeps an older password and an older second factor', async () => {
    const { accounts, account, change, makeFactorOlder, turnOnFactor, undo } = await owner();
    await turnOnFactor();
    await makeFactorOlder();
    const before = await account();
    expect(await undo(await change())).to.deep.include({ removed: NOTHING });
    const after = await account();
    expect(after).to.deep.include({ twoFactor: before.twoFactor, passwordHash: before.passwordHash });
    expect(await accounts.logIn({ email: OLD, password }, caller)).to.have.property('requires2FA', true);
  });

  it('voids recovery codes that were renewed since the request, and keeps the factor', async () => {
    const context = await owner();
    const { accounts, account, ask, codeTo, confirm, makeFactorOlder, undo, principal } = context;
    const app = await context.turnOnFactor();
    await makeFactorOlder();
    expect((await account()).twoFactor?.recovery).to.have.length(10);
    await ask();
    await accounts.renewRecoveryCodes(await principal(), { verificationCode: app.fresh() }, caller);
    await confirm(await codeTo(NEW));
    await undo(await codeTo(OLD));
    expect((await account()).twoFactor?.recovery).to.deep.equal([]);
  });

  it('removes a second factor that the session of the change set up shortly before', async () => {
    const { account, change, turnOnFactor, undo } = await owner();
    await turnOnFactor();
    const code = await change();
    expect(await undo(code)).to.deep.include({ removed: { ...NOTHING, secondFactor: true } });
    expect((await account()).twoFactor).to.equal(null);
  });

  it('removes a password that the session of the change set shortly before', async () => {
    const { accounts, change, edit, id, undo, principal } = await owner();
    await edit(id, { passwordHash: null });
    const { token } = tokensIn(
      await accounts.changePassword(await principal(), { newPassword: TAKERS }, caller),
    );
    const code = await change(NEW, await principal(token));
    expect(await undo(code)).to.deep.include({ removed: { ...NOTHING, password: true } });
    expect(await codeOf(accounts.logIn({ email: OLD, password: TAKERS }, caller))).to.equal(
      'wrong_credentials',
    );
  });

  it('keeps a password that was set shortly before by a code from the old address', async () => {
    const { accounts, change, codeTo, undo, principal } = await owner();
    await accounts.changePassword(
      await principal(),
      { currentPassword: password, newPassword: TAKERS },
      caller,
    );
    await accounts.requestPasswordReset({ email: OLD }, caller);
    const reset = await codeTo(OLD);
    await accounts.confirmPasswordReset({ email: OLD, code: reset, newPassword: password }, caller);
    const login = await accounts.logIn({ email: OLD, password }, caller);
    const by = await principal('token' in login ? login.token : '');
    expect(await undo(await change(NEW, by))).to.deep.include({ removed: NOTHING });
    expect(await accounts.logIn({ email: OLD, password }, caller)).to.have.property('token');
  });

  it('accepts its code once, before its end, for its address and purpose alone', async () => {
    const { accounts, account, change, clock, edit, id, undo } = await owner();
    const code = await change();
    for (const email of [NEW, 'nobody@example.com'])
      expect(await rejectionOf(() => undo(code, email))).to.include({ code: 'invalid_code' });
    expect(
      await rejectionOf(() =>
        accounts.confirmPasswordReset({ email: NEW, code, newPassword: TAKERS }, caller),
      ),
    ).to.include({ code: 'invalid_code' });
    const { formerEmails } = await account();
    const expiredEmails = formerEmails.map((former) => ({ ...former, until: clock.now() }));
    await edit(id, { formerEmails: expiredEmails });
    expect(await rejectionOf(() => undo(code))).to.include({ code: 'invalid_code' });
    await edit(id, { formerEmails });
    expect(await undo(code)).to.deep.include({ success: true, removed: NOTHING });
    expect(await rejectionOf(() => undo(code))).to.include({ code: 'invalid_code' });
  });

  it('is refused if another account has verified the address since', async () => {
    const { accounts, change, undo, account, codeTo } = await owner();
    const code = await change();
    await accounts.register({ email: OLD, password: TAKERS }, caller);
    const verification = await codeTo(OLD);
    await accounts.verifyEmail({ email: OLD, code: verification }, caller);
    expect(await rejectionOf(() => undo(code))).to.include({ code: 'email_taken' });
    expect((await account()).email).to.equal(NEW);
  });

  it('refuses wrong codes as `verification_held` after ten, but accepts the right code', async () => {
    const { change, undo } = await owner();
    const code = await change();
    for (let place = 0; place < 10; place += 1)
      expect(await rejectionOf(() => undo('AAAAA-AAAAA'))).to.include({ code: 'invalid_code' });
    expect(await rejectionOf(() => undo('AAAAA-AAAAA'))).to.include({ code: 'verification_held' });
    expect(await undo(code)).to.deep.include({ success: true, removed: NOTHING });
  });

  it('succeeds once for 50 concurrent calls', () =>
    inRounds(async (round) => {
      const email = `ada${round}@example.com`;
      const { accounts, change, undo, principal } = await owner(email);
      const code = await change();
      const outcomes = await race(50, () => codeOf(undo(code, email)));
      expect(outcomes.filter((outcome) => outcome === 'done')).to.have.length(1);
      expect(outcomes).to.include('invalid_code');
      // The first ten wrong codes hold the others.
      for (const outcome of outcomes)
        expect(outcome).to.be.oneOf(['done', 'invalid_code', 'verification_held']);
      expect(await rejectionOf(() => principal())).to.include({ code: 'invalid_token' });
      expect(await accounts.logIn({ email, password }, caller)).to.have.property('token');
    }));
});
