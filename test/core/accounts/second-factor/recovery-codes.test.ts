import { expect } from 'chai';
import { codeDigest } from '../../../../core/accounts/codes.ts';
import { password } from '../admin/open-operated.ts';
import { caller, codeOf, tokensIn } from '../open-core.ts';
import { from, newPassword, type People, usePeople } from '../use-people.ts';

const REFUSED = 'invalid_two_factor_code';

type Person = Awaited<ReturnType<People['signUpWithFactor']>>;

describe('Recovery codes', () => {
  const people = usePeople();
  const attempt = ({ email }: Person, verificationCode = '') =>
    codeOf(people().logIn(email, { verificationCode }));
  const renew = async ({ who }: Pick<Person, 'who'>, verificationCode = '') =>
    people().accounts.renewRecoveryCodes(await who(), { verificationCode }, caller);
  const noticesTo = async ({ email }: Person) =>
    (await people().mailsTo(email))
      .slice(2)
      .map(({ subject, text }) => [subject, text.replace(/\s+/g, ' ')] as const);

  it('each have at least 112 bits, stand in for a code of the app once, and for nobody else’s', async () => {
    const { signUpWithFactor } = people();
    const [user, other] = [await signUpWithFactor(), await signUpWithFactor('grace@example.com')];
    expect(new Set(user.app.recoveryCodes).size).to.equal(10);
    expect(await attempt(user, other.app.recoveryCodes[0])).to.equal(REFUSED);
    for (const code of user.app.recoveryCodes) {
      expect(code.replaceAll('-', '').length * Math.log2(32)).to.be.at.least(112);
      expect([await attempt(user, code), await attempt(user, code)]).to.deep.equal(['done', REFUSED]);
    }
  });

  it('may be typed in any case, with blanks and whatever dash is at hand', async () => {
    const user = await people().signUpWithFactor();
    const [first = '', ...others] = user.app.recoveryCodes;
    expect(first).to.match(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(await attempt(user, first.toLowerCase())).to.equal('done');
    for (const [place, between] of ['', ' ', ' - ', '\u2013', '\u2011', '\u00a0'].entries())
      expect(await attempt(user, others[place]?.replaceAll('-', between))).to.equal('done');
  });

  it('of 16 characters, from before they had 24, stay valid, once', async () => {
    const { account, edit, ports, signUpWithFactor } = people();
    const user = await signUpWithFactor();
    const { twoFactor } = await account(user.id);
    const recovery = [codeDigest(ports.digest, 'recovery', user.id, '7K3MQ9XZT4RBWC2N')];
    await edit(user.id, { twoFactor: twoFactor && { ...twoFactor, recovery } });
    for (const outcome of ['done', REFUSED])
      expect(await attempt(user, '7k3m-q9xz-t4rb-wc2n')).to.equal(outcome);
  });

  it('are told of by mail when used, with how many are left and without a code', async () => {
    const user = await people().signUpWithFactor();
    const [one = '', two = ''] = user.app.recoveryCodes;
    for (const code of [one, two]) await attempt(user, code);
    const notices = await noticesTo(user);
    expect(notices.map(([subject]) => subject)).to.deep.equal(
      Array(2).fill('A Gatehouse recovery code was used'),
    );
    for (const [place, left] of [9, 8].entries())
      expect(notices[place]?.[1]).to.contain(`${left} recovery codes are left.`).and.not.contain(one);
  });

  it('name, when used, the address of the use in the mail, and its request in the audit row', async () => {
    const { logIn, rowsAbout, signUpWithFactor } = people();
    const user = await signUpWithFactor();
    const [verificationCode = ''] = user.app.recoveryCodes;
    await logIn(user.email, { verificationCode }, { ...from('192.0.2.9'), requestId: 'a-request' });
    const [[, text] = []] = await noticesTo(user);
    expect(text).to.contain('IP address: 192.0.2.9');
    expect((await rowsAbout(user.id)).at(-1)).to.include({
      action: 'two_factor.recovery_code_used',
      requestId: 'a-request',
    });
  });

  it('are void as soon as new ones are made, which is told by mail, without a code in it', async () => {
    const user = await people().signUpWithFactor();
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

  it('work wherever a code is asked for: of one that made new ones two mails tell', async () => {
    const { accounts, signUpWithFactor } = people();
    const user = await signUpWithFactor();
    const { recoveryCodes } = await renew(user, user.app.recoveryCodes[0]);
    expect((await noticesTo(user)).map(([subject]) => subject)).to.have.members([
      'A Gatehouse recovery code was used',
      'New Gatehouse recovery codes were created',
    ]);
    const [verificationCode = '', forSwitch = ''] = recoveryCodes;
    const change = { currentPassword: password, newPassword, verificationCode };
    const { token } = tokensIn(await accounts.changePassword(await user.who(), change, caller));
    const switchOff = async (code: string) => {
      const off = { enable: false, verificationCode: code };
      return codeOf(accounts.configureTwoFactor(await accounts.authenticate(token), off, caller));
    };
    expect([await switchOff(user.app.recoveryCodes[1] ?? ''), await switchOff(forSwitch)]).to.deep.equal([
      REFUSED,
      'done',
    ]);
  });

  it('are not made anew by a session that ended since it was looked up', async () => {
    const { accounts, operate, signUpWithFactor } = people();
    const { app, email, who } = await signUpWithFactor();
    const thief = await who();
    await operate.endSessions(email, { actor: 'operator:cli' });
    const [verificationCode = ''] = app.recoveryCodes;
    expect(await codeOf(accounts.renewRecoveryCodes(thief, { verificationCode }, caller))).to.equal(
      'invalid_token',
    );
  });

  it('are not made anew where two-factor authentication is off', async () => {
    expect(await codeOf(renew(await people().signUp(), '123456'))).to.equal('two_factor_off');
  });
});
