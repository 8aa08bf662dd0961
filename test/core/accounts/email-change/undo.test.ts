import { expect } from 'chai';
import { inRounds, race } from '../../../contracts/race.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { codeAt } from '../../../servers/accounts/second-factor/factor.ts';
import { password } from '../admin/open-operated.ts';
import { caller, codeOf } from '../open-core.ts';
import { NEW, OLD, useOwner } from './open-owner.ts';

const TAKERS = 'the taker of the account';
const NOTHING = { passkeys: [], identities: [], password: false, secondFactor: false };

describe('A change of email that is taken back', () => {
  const owner = useOwner();

  it('gives the account to its owner alone, whatever the taker added', async () => {
    const { accounts, account, change, who, undo, codeIn, id, ports } = await owner();
    const code = await change();
    const setup = await accounts.configureTwoFactor(await who(), { enable: true }, caller);
    const secret = 'secret' in setup ? setup.secret : '';
    const verificationCode = codeAt(secret, ports.clock.now());
    await accounts.configureTwoFactor(await who(), { enable: true, secret, verificationCode }, caller);
    await accounts.requestPasswordReset({ email: NEW }, caller);
    const reset = await codeIn(NEW);
    await accounts.confirmPasswordReset({ email: NEW, code: reset, newPassword: TAKERS }, caller);
    const pending = await accounts.logIn({ email: NEW, password: TAKERS }, caller);
    const pendingToken = 'pendingToken' in pending ? pending.pendingToken : '';
    await accounts.requestPasswordReset({ email: NEW }, caller);
    const another = await codeIn(NEW);
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
      const later = codeAt(secret, ports.clock.now() + 30_000);
      for (const credentials of [{ password: TAKERS }, { pendingToken, verificationCode: later }])
        expect(await codeOf(accounts.logIn({ email, ...credentials }, caller))).to.equal('wrong_credentials');
      const confirm = accounts.confirmPasswordReset({ email, code: another, newPassword: TAKERS }, caller);
      expect(await codeOf(confirm)).to.equal('invalid_code');
    }
    await accounts.requestPasswordReset({ email: OLD }, caller);
    await accounts.confirmPasswordReset(
      { email: OLD, code: await codeIn(OLD), newPassword: password },
      caller,
    );
    expect(await accounts.logIn({ email: OLD, password }, caller)).to.have.property('token');
  });

  it('keeps the password and the second factor from before', async () => {
    const { accounts, account, change, makeFactorOlder, undo, who, ports } = await owner();
    const setup = await accounts.configureTwoFactor(await who(), { enable: true }, caller);
    const secret = 'secret' in setup ? setup.secret : '';
    const verificationCode = codeAt(secret, ports.clock.now());
    await accounts.configureTwoFactor(await who(), { enable: true, secret, verificationCode }, caller);
    await makeFactorOlder();
    const before = await account();
    expect(await undo(await change())).to.deep.include({ removed: NOTHING });
    const after = await account();
    expect(after).to.deep.include({ twoFactor: before?.twoFactor, passwordHash: before?.passwordHash });
    expect(await accounts.logIn({ email: OLD, password }, caller)).to.have.property('requires2FA', true);
  });

  it('voids recovery codes that were made since, and keeps the factor', async () => {
    const { accounts, account, ask, codeIn, confirm, makeFactorOlder, undo, who, ports } = await owner();
    const setup = await accounts.configureTwoFactor(await who(), { enable: true }, caller);
    const secret = 'secret' in setup ? setup.secret : '';
    const now = ports.clock.now();
    const first = codeAt(secret, now - 30_000);
    await accounts.configureTwoFactor(await who(), { enable: true, secret, verificationCode: first }, caller);
    await makeFactorOlder();
    expect((await account())?.twoFactor?.recovery).to.have.length(10);
    await ask();
    await accounts.renewRecoveryCodes(await who(), { verificationCode: codeAt(secret, now) }, caller);
    await confirm(await codeIn(NEW));
    await undo(await codeIn(OLD));
    expect((await account())?.twoFactor?.recovery).to.deep.equal([]);
  });

  it('takes away a second factor and recovery codes that the session which changed it made shortly before', async () => {
    const { accounts, account, change, undo, who, ports } = await owner();
    const setup = await accounts.configureTwoFactor(await who(), { enable: true }, caller);
    const secret = 'secret' in setup ? setup.secret : '';
    const verificationCode = codeAt(secret, ports.clock.now());
    await accounts.configureTwoFactor(await who(), { enable: true, secret, verificationCode }, caller);
    const code = await change();
    expect(await undo(code)).to.deep.include({ removed: { ...NOTHING, secondFactor: true } });
    expect((await account())?.twoFactor).to.equal(null);
  });

  it('takes away a password that the session which changed it set shortly before', async () => {
    const { accounts, account, change, undo, who, ports } = await owner();
    const stored = await account();
    if (stored === undefined) throw new Error('The account is gone.');
    await ports.accounts.save({ ...stored, passwordHash: null });
    const { token } = await accounts.changePassword(await who(), { newPassword: TAKERS }, caller);
    const code = await change(NEW, await who(token));
    expect(await undo(code)).to.deep.include({ removed: { ...NOTHING, password: true } });
    expect(await codeOf(accounts.logIn({ email: OLD, password: TAKERS }, caller))).to.equal(
      'wrong_credentials',
    );
  });

  it('keeps a password that was set by a code from the old address shortly before', async () => {
    const { accounts, change, codeIn, undo, who } = await owner();
    await accounts.changePassword(await who(), { currentPassword: password, newPassword: TAKERS }, caller);
    await accounts.requestPasswordReset({ email: OLD }, caller);
    const reset = await codeIn(OLD);
    await accounts.confirmPasswordReset({ email: OLD, code: reset, newPassword: password }, caller);
    const login = await accounts.logIn({ email: OLD, password }, caller);
    const by = await who('token' in login ? login.token : '');
    expect(await undo(await change(NEW, by))).to.deep.include({ removed: NOTHING });
    expect(await accounts.logIn({ email: OLD, password }, caller)).to.have.property('token');
  });

  it('works for its address and purpose alone, once, for seven days', async () => {
    const { accounts, account, change, undo, ports } = await owner();
    const code = await change();
    for (const email of [NEW, 'nobody@example.com'])
      expect(await rejectionOf(() => undo(code, email))).to.include({ code: 'invalid_code' });
    expect(
      await rejectionOf(() =>
        accounts.confirmPasswordReset({ email: NEW, code, newPassword: TAKERS }, caller),
      ),
    ).to.include({ code: 'invalid_code' });
    const changed = await account();
    if (changed === undefined) throw new Error('The account is gone.');
    const over = changed.formerEmails.map((former) => ({ ...former, until: ports.clock.now() }));
    await ports.accounts.save({ ...changed, formerEmails: over });
    expect(await rejectionOf(() => undo(code))).to.include({ code: 'invalid_code' });
    const late = await account();
    if (late === undefined) throw new Error('The account is gone.');
    await ports.accounts.save({ ...late, formerEmails: changed.formerEmails });
    expect(await undo(code)).to.deep.include({ success: true, removed: NOTHING });
    expect(await rejectionOf(() => undo(code))).to.include({ code: 'invalid_code' });
  });

  it('closes the later changes, so that the oldest address wins', async () => {
    const { change, undo, account } = await owner();
    const first = await change('one@example.com');
    const second = await change('two@example.com');
    await undo(first);
    expect(await account()).to.deep.include({ email: OLD, formerEmails: [] });
    expect(await rejectionOf(() => undo(second, 'one@example.com'))).to.include({ code: 'invalid_code' });
  });

  it('removes an unverified account that took the address, and yields to a verified one', async () => {
    const { accounts, change, undo, account, codeIn } = await owner();
    const code = await change();
    await accounts.register({ email: OLD, password: TAKERS }, caller);
    const verification = await codeIn(OLD);
    await accounts.verifyEmail({ email: OLD, code: verification }, caller);
    expect(await rejectionOf(() => undo(code))).to.include({ code: 'email_taken' });
    expect((await account())?.email).to.equal(NEW);
  });

  it('takes away what came after the first of several asks', async () => {
    const { accounts, account, ask, change, undo, who, ports } = await owner();
    await ask('first@example.com');
    const setup = await accounts.configureTwoFactor(await who(), { enable: true }, caller);
    const secret = 'secret' in setup ? setup.secret : '';
    const verificationCode = codeAt(secret, ports.clock.now());
    await accounts.configureTwoFactor(await who(), { enable: true, secret, verificationCode }, caller);
    await accounts.cancelEmailChange(await who());
    await undo(await change());
    expect((await account())?.twoFactor).to.equal(null);
  });

  it('counts wrong codes, and holds them off after ten of a network, but no right one', async () => {
    const { change, undo } = await owner();
    const code = await change();
    for (let place = 0; place < 10; place += 1)
      expect(await rejectionOf(() => undo('AAAAA-AAAAA'))).to.include({ code: 'invalid_code' });
    expect(await rejectionOf(() => undo('AAAAA-AAAAA'))).to.include({ code: 'verification_held' });
    expect(await undo(code)).to.deep.include({ success: true, removed: NOTHING });
  });

  it('tells both addresses when the account is deleted within that time', async () => {
    const { accounts, change, mails, settle, who } = await owner();
    await change();
    await accounts.deleteAccount(await who(), { password }, caller);
    await settle();
    const farewells = mails.filter(({ subject }) => subject.includes('was deleted'));
    expect(farewells.map(({ to }) => to)).to.have.members([OLD, NEW]);
  });

  it('happens once, however many ask at once', async () => {
    const { accounts, change, undo, who } = await owner();
    let token: string | undefined;
    await inRounds(async (round) => {
      if (token !== undefined) return;
      const code = await change(`r${round}@example.com`);
      const outcomes = await race(50, () =>
        undo(code).then(
          () => true,
          () => false,
        ),
      );
      expect(outcomes.filter(Boolean)).to.have.length(1);
      token = 'over';
    });
    expect(await rejectionOf(() => who())).to.include({ code: 'invalid_token' });
    expect(await accounts.logIn({ email: OLD, password }, caller)).to.have.property('token');
  });
});
