import { expect } from 'chai';
import { codeDigest } from '../../../../core/accounts/codes.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { type AccountsContext, callerAt, newPassword, useAccounts } from '../open-accounts.ts';
import { caller, codeOf, tokensIn } from '../open-core.ts';

const REFUSED = 'invalid_two_factor_code';

type User = Awaited<ReturnType<AccountsContext['signUpWithFactor']>>;

describe('Recovery codes', () => {
  const core = useAccounts();
  const attempt = ({ email }: User, verificationCode = '') =>
    codeOf(core().logIn(email, { verificationCode }));
  const renew = async ({ principal }: Pick<User, 'principal'>, verificationCode = '') =>
    core().accounts.renewRecoveryCodes(await principal(), { verificationCode }, caller);
  const noticesTo = async ({ email }: User) =>
    (await core().mailsTo(email))
      .slice(2)
      .map(({ subject, text }) => [subject, text.replace(/\s+/g, ' ')] as const);

  it('have at least 112 bits, and each replaces one app code of its own user', async () => {
    const { signUpWithFactor } = core();
    const [user, other] = [await signUpWithFactor(), await signUpWithFactor('grace@example.com')];
    expect(new Set(user.app.recoveryCodes).size).to.equal(10);
    expect(await attempt(user, other.app.recoveryCodes[0])).to.equal(REFUSED);
    for (const code of user.app.recoveryCodes) {
      expect(code.replaceAll('-', '').length * Math.log2(32)).to.be.at.least(112);
      expect([await attempt(user, code), await attempt(user, code)]).to.deep.equal(['done', REFUSED]);
    }
  });

  it('are accepted in any case, with blanks and any kind of dash', async () => {
    const user = await core().signUpWithFactor();
    const [first = '', ...others] = user.app.recoveryCodes;
    expect(first).to.match(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(await attempt(user, first.toLowerCase())).to.equal('done');
    for (const [place, between] of ['', ' ', ' - ', '\u2013', '\u2011', '\u00a0'].entries())
      expect(await attempt(user, others[place]?.replaceAll('-', between))).to.equal('done');
  });

  it('of the former length of 16 characters are still accepted once', async () => {
    const { account, edit, ports, signUpWithFactor } = core();
    const user = await signUpWithFactor();
    const { twoFactor } = await account(user.id);
    const recovery = [codeDigest(ports.digest, 'recovery', user.id, '7K3MQ9XZT4RBWC2N')];
    await edit(user.id, { twoFactor: twoFactor && { ...twoFactor, recovery } });
    for (const outcome of ['done', REFUSED])
      expect(await attempt(user, '7k3m-q9xz-t4rb-wc2n')).to.equal(outcome);
  });

  it('send a notice at each use with the number of codes left and without a code', async () => {
    const user = await core().signUpWithFactor();
    const [first = '', second = ''] = user.app.recoveryCodes;
    for (const code of [first, second]) await attempt(user, code);
    const notices = await noticesTo(user);
    expect(notices.map(([subject]) => subject)).to.deep.equal(
      Array(2).fill('A Gatehouse recovery code was used'),
    );
    for (const [place, left] of [9, 8].entries())
      expect(notices[place]?.[1]).to.contain(`${left} recovery codes are left.`).and.not.contain(first);
  });

  it('name the address of a use in the mail, and its request in the audit row', async () => {
    const { logIn, rowsAbout, signUpWithFactor } = core();
    const user = await signUpWithFactor();
    const [verificationCode = ''] = user.app.recoveryCodes;
    await logIn(user.email, { verificationCode }, { ...callerAt('192.0.2.9'), requestId: 'a-request' });
    const [[, text] = []] = await noticesTo(user);
    expect(text).to.contain('IP address: 192.0.2.9');
    expect((await rowsAbout(user.id)).at(-1)).to.include({
      action: 'two_factor.recovery_code_used',
      requestId: 'a-request',
    });
  });

  it('are void after a renewal, which sends a notice without a code', async () => {
    const user = await core().signUpWithFactor();
    expect(await codeOf(renew(user, user.app.wrong()))).to.equal(REFUSED);
    const { recoveryCodes } = await renew(user, user.app.fresh());
    expect(recoveryCodes).to.have.length(10);
    expect(recoveryCodes.filter((code) => user.app.recoveryCodes.includes(code))).to.deep.equal([]);
    expect(await attempt(user, user.app.recoveryCodes[0])).to.equal(REFUSED);
    const [[subject, text] = [], ...others] = await noticesTo(user);
    expect([subject, others]).to.deep.equal(['New Gatehouse recovery codes were created', []]);
    expect(text).to.contain(`IP address: ${caller.address}`);
    for (const code of recoveryCodes) expect(text).to.not.contain(code);
    expect(await attempt(user, recoveryCodes[0])).to.equal('done');
  });

  it('are accepted by every call that needs a code, and a renewal with one sends two notices', async () => {
    const { accounts, signUpWithFactor } = core();
    const user = await signUpWithFactor();
    const { recoveryCodes } = await renew(user, user.app.recoveryCodes[0]);
    expect((await noticesTo(user)).map(([subject]) => subject)).to.have.members([
      'A Gatehouse recovery code was used',
      'New Gatehouse recovery codes were created',
    ]);
    const [verificationCode = '', nextCode = ''] = recoveryCodes;
    const change = { currentPassword: password, newPassword, verificationCode };
    const { token } = tokensIn(await accounts.changePassword(await user.principal(), change, caller));
    const switchOff = async (code: string) => {
      const off = { enable: false, verificationCode: code };
      return codeOf(accounts.configureTwoFactor(await accounts.authenticate(token), off, caller));
    };
    expect([await switchOff(user.app.recoveryCodes[1] ?? ''), await switchOff(nextCode)]).to.deep.equal([
      REFUSED,
      'done',
    ]);
  });

  it('cannot be renewed by a session that ended after it was authenticated', async () => {
    const { accounts, operate, signUpWithFactor } = core();
    const { app, email, principal } = await signUpWithFactor();
    const endedPrincipal = await principal();
    await operate.endSessions(email, { actor: 'operator:cli' });
    const [verificationCode = ''] = app.recoveryCodes;
    expect(await codeOf(accounts.renewRecoveryCodes(endedPrincipal, { verificationCode }, caller))).to.equal(
      'invalid_token',
    );
  });

  it('cannot be renewed while two-factor authentication is off', async () => {
    expect(await codeOf(renew(await core().signUp(), '123456'))).to.equal('two_factor_off');
  });
});
