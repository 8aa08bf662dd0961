import { expect } from 'chai';
import { listUserActions, runUserAction } from '../../../../core/accounts/admin/user-actions.ts';
import { NOW, sampleRestriction, sampleTwoFactor, withFlags } from '../../../contracts/samples.ts';
import { samplePasskey } from '../../../contracts/transfer-samples.ts';
import { caller, codeOf } from '../open-core.ts';
import { by, useAdminAccounts } from './open-admin-accounts.ts';

const DAY = 86_400_000;
const IDENTITY = { provider: 'github', providerAccountId: '71' };
/** Arguments that follow the user at the command line. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  unlinkIdentity: Object.values(IDENTITY),
  removePasskey: [samplePasskey.id],
  setEmail: ['ada@new.example'],
};

describe('An operator', () => {
  const core = useAdminAccounts();

  for (const [name, end, field] of [
    ['ban', 'unban', 'banned'],
    ['disable', 'enable', 'disabled'],
  ] as const) {
    it(`can ${name} a user, whose access token is then refused, and ${end} them`, async () => {
      const { accounts, events, lines, operate, rowsAbout, signUp } = core();
      const { id, email, token } = await signUp('ada@example.com');
      const until = NOW + DAY;
      const result = await operate[name](email, { reason: ' spam ', until }, by());
      expect(result).to.deep.equal({ userId: id, email, changed: true });
      expect(await codeOf(accounts.authenticate(token))).to.equal(`account_${field}`);
      expect((await operate.showUser(id))[field]).to.include({ reason: 'spam', inForce: true });

      expect(await operate[end](id, by('appeal'))).to.include({ changed: true });
      expect((await accounts.authenticate(token)).user.id).to.equal(id);
      expect(await operate[end](id, by())).to.include({ changed: false });
      const [startRow, endRow, ...more] = await rowsAbout(id);
      const iso = new Date(until).toISOString();
      expect(startRow).to.deep.include({
        actor: 'operator:cli',
        action: `user.${field}`,
        target: id,
        reason: 'spam',
        before: { [field]: false, reason: null, until: null },
        after: { [field]: true, reason: 'spam', until: iso },
      });
      expect(endRow).to.deep.include({
        reason: 'appeal',
        before: { [field]: true, reason: 'spam', until: iso },
        after: { [field]: false, reason: null, until: null },
      });
      expect(more).to.deep.equal([]);
      const logged = lines.filter(({ event }) => event === 'operator.acted').map(({ fields }) => fields);
      expect(logged).to.deep.equal([
        { userId: id, reason: `user.${field}` },
        { userId: id, reason: name === 'ban' ? 'user.unbanned' : 'user.enabled' },
      ]);
      const types = events.filter(({ userId }) => userId === id).map(({ type }) => type);
      expect(types.includes('user.banned')).to.equal(name === 'ban');
    });
  }

  it('cannot ban until a past time or without a valid reason, nor act on an unknown user', async () => {
    const { operate, signUp } = core();
    const { email } = await signUp('ada@example.com');
    const ban = (reason: string, until: number | null) => operate.ban(email, { reason, until }, by());
    expect(await codeOf(ban('spam', NOW - 1))).to.equal('invalid_until');
    expect(await codeOf(ban('x'.repeat(500), NOW + DAY))).to.equal('done');
    expect(await codeOf(operate.unban(email, by()))).to.equal('done');
    expect(await codeOf(ban('  ', null))).to.equal('invalid_reason');
    expect(await codeOf(ban('x'.repeat(501), null))).to.equal('invalid_reason');
    expect(await codeOf(operate.unlock('nobody@example.com', by()))).to.equal('user_not_found');
    const unknown = '0199a0a0-0000-7000-8000-000000000000';
    expect(await codeOf(operate.unlock(unknown, by()))).to.equal('user_not_found');
    expect(await codeOf(operate.unlock('ada', by()))).to.equal('invalid_email');
    expect((await operate.showUser(email)).banned).to.equal(null);
  });

  it('clears every lockout of a user: for passwords, codes and the second factor', async () => {
    const { account, accounts, edit, operate, rowsAbout, signUp } = core();
    const { id, email } = await signUp('ada@example.com');
    const lockout = { wrongInRow: 2, heldUntil: NOW + DAY, wrongToday: { count: 10, firstAt: NOW } };
    await edit(id, { twoFactor: { ...sampleTwoFactor, ...lockout } });
    const failLogIn = (client: string) =>
      accounts.logIn({ email, password: 'wrong' }, { ...caller, client }).catch(() => undefined);
    for (let count = 0; count < 100; count += 1) {
      await failLogIn('198.51.100.7');
      await failLogIn(caller.client);
    }
    for (let count = 0; count < 10; count += 1) {
      await accounts.verifyEmail({ email, code: '000000' }, caller).catch(() => undefined);
    }
    const logIn = (client: string) =>
      codeOf(accounts.logIn({ email, password: 'wrong' }, { ...caller, client }));
    expect(await logIn('198.51.100.7')).to.equal('login_held');
    expect(await logIn(caller.client)).to.equal('login_held');
    expect((await operate.showUser(id)).held).to.deep.equal(['password', 'verification', 'two-factor']);

    await operate.unlock(email, by('it was them'));
    expect((await operate.showUser(id)).held).to.deep.equal([]);
    const verify = () => codeOf(accounts.verifyEmail({ email, code: '000000' }, caller));
    expect(await verify()).to.equal('invalid_code');
    expect(await logIn('198.51.100.7')).to.equal('wrong_credentials');
    expect(await logIn(caller.client)).to.equal('wrong_credentials');
    expect((await account(id)).twoFactor).to.deep.equal(sampleTwoFactor);
    const [row] = (await rowsAbout(id)).slice(-1);
    expect(row).to.deep.include({
      action: 'user.unlocked',
      before: { wrongPasswords: 200, wrongCodes: 10, twoFactorHeld: true },
      after: { wrongPasswords: 0, wrongCodes: 0, twoFactorHeld: false },
    });
  });

  it('clears the lockout for codes that were mailed to the new address of a user', async () => {
    const { accounts, operate, signUp } = core();
    const { id, principal } = await signUp('ada@example.com');
    const ask = async () => accounts.askEmailChange(await principal(), { email: 'new@example.com' }, caller);
    const confirm = async () =>
      codeOf(accounts.confirmEmailChange(await principal(), { code: '000000' }, caller));
    for (let count = 0; count < 10; count += 1) {
      if (count % 5 === 0) await ask();
      await confirm();
    }
    await ask();
    expect(await confirm()).to.equal('verification_held');
    expect(await operate.showUser(id)).to.deep.include({ wrongCodes: 10, held: ['verification'] });

    await operate.unlock(id, by('it was them'));
    expect(await operate.showUser(id)).to.deep.include({ wrongCodes: 0, held: [] });
    expect(await confirm()).to.equal('invalid_code');
  });

  it('sees no lockout from wrong codes at a new email that was requested more than a day ago', async () => {
    const { accounts, clock, operate, signUp } = core();
    const { id, principal } = await signUp('ada@example.com');
    await accounts.askEmailChange(await principal(), { email: 'new@example.com' }, caller);
    clock.advance(DAY + 1);
    for (let count = 0; count < 10; count += 1)
      await accounts.verifyEmail({ email: 'new@example.com', code: '000000' }, caller).catch(() => undefined);
    expect(await operate.showUser(id)).to.deep.include({ held: [] });
  });

  it('ends all sessions of a user at once', async () => {
    const { accounts, events, logIn, operate, rowsAbout, signUp } = core();
    const { id, email, token } = await signUp('ada@example.com');
    const otherLogin = await logIn(email);
    await operate.endSessions(email, by());
    for (const sessionToken of [token, 'token' in otherLogin ? otherLogin.token : '']) {
      expect(await codeOf(accounts.authenticate(sessionToken))).to.equal('invalid_token');
    }
    expect((await rowsAbout(id)).map(({ action }) => action)).to.deep.equal(['user.logged_out']);
    expect(events.filter(({ type }) => type === 'session.revoked')).to.have.length(2);
  });

  it('marks an email as verified, with one event', async () => {
    const { accounts, events, logIn, operate, settle } = core();
    await accounts.register({ email: 'new@example.com', password: 'correct horse battery' }, caller);
    expect(await operate.takeEmailAsVerified('new@example.com', by())).to.include({ changed: true });
    expect(await operate.takeEmailAsVerified('new@example.com', by())).to.include({ changed: false });
    expect(await logIn('new@example.com')).to.have.property('token');
    await settle();
    expect(events.filter(({ type }) => type === 'user.verified')).to.have.length(1);
  });

  it('removes a second factor, which ends all sessions and notifies the user by mail', async () => {
    const { accounts, edit, events, mails, operate, ports, rowsAbout, signUp } = core();
    const { id, email, token } = await signUp('ada@example.com');
    expect(await operate.resetTwoFactor(email, { ...by(), reason: 'lost' })).to.include({ changed: false });
    await edit(id, { twoFactor: sampleTwoFactor });
    expect(await operate.resetTwoFactor(email, { ...by(), reason: 'lost' })).to.include({ changed: true });
    expect((await operate.showUser(id)).twoFactorEnabled).to.equal(false);
    expect(await codeOf(accounts.authenticate(token))).to.equal('invalid_token');
    const [row] = (await rowsAbout(id)).slice(-1);
    expect(row).to.deep.include({
      ...{ action: 'two_factor.reset', reason: 'lost' },
      ...{ before: { twoFactor: true }, after: { twoFactor: false } },
    });
    expect(mails.at(-1)).to.include({ to: email });
    expect(mails.at(-1)?.subject).to.match(/two-factor authentication is off/i);
    expect(mails.at(-1)?.text).to.match(/ When: .*2026/);
    expect(await ports.sessions.list(id)).to.deep.equal([]);
    expect(events.filter(({ type }) => type === 'session.revoked')).to.have.length(1);
  });

  it('removes a passkey and an identity, each with an audit row and a mail that names it', async () => {
    const { account, edit, mailsTo, operate, rowsAbout, signUp } = core();
    const { id, email } = await signUp('ada@example.com');
    const oauthAccounts = [{ ...IDENTITY, email: null, createdAt: '' }];
    await edit(id, { passkeys: [samplePasskey], oauthAccounts });
    const why = { ...by(), reason: 'lost' };
    await operate.removePasskey(email, samplePasskey.id, why);
    await operate.unlinkIdentity(email, IDENTITY, why);
    expect(await account(id)).to.deep.include({ passkeys: [], oauthAccounts: [] });
    const rows = await rowsAbout(id);
    expect(rows.map(({ action, reason, before, after }) => [action, reason, before, after])).to.deep.equal([
      ['passkey.removed', 'lost', { passkey: samplePasskey.id }, null],
      ['identity.unlinked', 'lost', { provider: 'github' }, null],
    ]);
    // Mails are sent in any order.
    const texts = (await mailsTo(email)).map(({ text }) => text);
    for (const name of [`"${samplePasskey.name}"`, 'with github'])
      expect(texts.find((text) => text.includes(name))).to.match(/ When: .*2026/);
  });

  it('reads the outcome of each action and of its repetition at the command line', async () => {
    const { edit, operate, signUp } = core();
    const { id, email } = await signUp('ada@example.com');
    const testedActions: string[] = [];
    for (const [name, { command }] of listUserActions()) {
      if (command === undefined) continue;
      await edit(id, {
        ...withFlags({ isOperatorTeam: true, operatorTeamRole: 'dev' }),
        ...{ email, verified: name !== 'takeEmailAsVerified', twoFactor: sampleTwoFactor },
        ...{ banned: sampleRestriction(null), disabled: sampleRestriction(null) },
        ...{ passkeys: [samplePasskey], oauthAccounts: [{ ...IDENTITY, email: null, createdAt: '' }] },
      });
      const commandArguments = ARGUMENTS[name] ?? [];
      const run = async () => {
        const input = command.inputOf?.(...commandArguments);
        const result = await runUserAction(operate, name, id, input, { ...by(), reason: 'asked' });
        const sentence = command.outcome(result, ...commandArguments);
        expect(sentence, name).to.match(/^\S+ \w.*\.$/);
        expect([id, result.email]).to.include(sentence.split(' ')[0]);
        return { changed: result.changed, sentence };
      };
      const first = await run();
      expect(first.changed, name).to.equal(true);
      for (const word of commandArguments) expect(first.sentence).to.include(word);
      testedActions.push(name);
      if (name === 'removePasskey') {
        expect(await codeOf(run())).to.equal('passkey_not_found');
        continue;
      }
      const repetition = await run();
      const isAlwaysDone = ['unlock', 'sendReset'].includes(name);
      expect(repetition.changed, name).to.equal(isAlwaysDone);
      expect(repetition.sentence === first.sentence, name).to.equal(isAlwaysDone);
    }
    expect(testedActions).to.include.members([...Object.keys(ARGUMENTS), 'dismiss']);
  });
});
