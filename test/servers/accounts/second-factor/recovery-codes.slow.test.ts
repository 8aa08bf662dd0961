import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { logIn, signUpWithFactor } from './factor.ts';

describe('Recovery codes', () => {
  const service = useService();
  const statusOf = async (user: User, verificationCode: string) =>
    (await logIn(service(), user, { verificationCode })).status;
  const renew = ({ token }: User, verificationCode: string) =>
    service().post('/api/auth/2fa/recovery-codes', { verificationCode }, { token });

  it('each stand in for a code of the app once', async () => {
    const { user, app } = await signUpWithFactor(service());

    expect(app.recoveryCodes).to.have.length(10);
    for (const code of app.recoveryCodes) {
      expect(await statusOf(user, code)).to.equal(200);
      expect(await statusOf(user, code)).to.equal(401);
    }
  });

  it('are not counted as wrong when used again', async () => {
    const { user, app } = await signUpWithFactor(service());
    const [one = '', two = ''] = app.recoveryCodes;
    await statusOf(user, one);
    for (let time = 0; time < 12; time += 1) expect(await statusOf(user, one)).to.equal(401);

    expect(await statusOf(user, two)).to.equal(200);
  });

  it('may be typed with blanks and whatever dash is at hand', async () => {
    const { user, app } = await signUpWithFactor(service());
    for (const [index, between] of [' ', ' - ', '\u2013', '\u2011', '\u00a0'].entries())
      expect(await statusOf(user, app.recoveryCodes[index]?.replaceAll('-', between) ?? '')).to.equal(200);
  });

  it('may be typed in any case, with or without dashes', async () => {
    const { user, app } = await signUpWithFactor(service());
    const [one = '', two = '', three = ''] = app.recoveryCodes;

    expect(one).to.match(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(await statusOf(user, one.toLowerCase())).to.equal(200);
    expect(await statusOf(user, two.replaceAll('-', ''))).to.equal(200);
    expect(
      await statusOf(user, `${three.replaceAll('-', '').slice(0, 8)}-${three.replaceAll('-', '').slice(8)}`),
    ).to.equal(200);
  });

  it('are told of by mail when used, with how many are left', async () => {
    const { user, app } = await signUpWithFactor(service());
    const [one = '', two = ''] = app.recoveryCodes;
    await statusOf(user, one);
    await statusOf(user, two);

    const first = await service().mailTo(user.email, 3);
    expect(first.subject).to.equal('A Gatehouse recovery code was used');
    expect(first.text.replace(/\s+/g, ' ')).to.contain('9 recovery codes are left.');
    expect((await service().mailTo(user.email, 4)).text.replace(/\s+/g, ' ')).to.contain(
      '8 recovery codes are left.',
    );
    expect(first.text).not.to.contain(one);
  });

  it('work wherever a code is asked for', async () => {
    const { user, app } = await signUpWithFactor(service());
    const [one = '', two = ''] = app.recoveryCodes;
    const off = (verificationCode: string) =>
      service().post('/api/auth/2fa', { enable: false, verificationCode }, { token: user.token });

    expect((await renew(user, one)).status).to.equal(200);
    expect((await off(two)).status).to.equal(400, 'void since the others were made');
    expect((await off(app.fresh())).status).to.equal(200);
  });

  it('are void as soon as new ones are made', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { status, body } = await renew(user, app.fresh());
    const made = Array.from(body.recoveryCodes as unknown as string[]);

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('recoveryCodes');
    expect(made).to.have.length(10);
    expect(made.filter((code) => app.recoveryCodes.includes(code))).to.deep.equal([]);
    expect(await statusOf(user, app.recoveryCodes[0] ?? '')).to.equal(401);
    expect(await statusOf(user, made[0] ?? '')).to.equal(200);
  });

  it('have at least 112 bits each', async () => {
    const { app } = await signUpWithFactor(service());
    for (const code of app.recoveryCodes)
      expect(code.replaceAll('-', '').length * Math.log2(32)).to.be.at.least(112);
  });

  it('are told of by mail when new ones are made, without a code in it, and not when a code was wrong', async () => {
    const { user, app } = await signUpWithFactor(service());
    await renew(user, app.wrong());
    const { body } = await renew(user, app.fresh());
    const { subject, text } = await service().mailTo(user.email, 3);
    expect(subject).to.equal('New Gatehouse recovery codes were created');
    expect(text).to.contain('IP address: 127.0.0.1');
    for (const code of Array.from(body.recoveryCodes as unknown as string[]))
      expect(text).to.not.contain(code);
  });

  it('are told of twice when one of them was used to make new ones', async () => {
    const { user, app } = await signUpWithFactor(service());
    await renew(user, app.recoveryCodes[0] ?? '');
    const subjects = [await service().mailTo(user.email, 3), await service().mailTo(user.email, 4)];
    expect(subjects.map(({ subject }) => subject)).to.have.members([
      'A Gatehouse recovery code was used',
      'New Gatehouse recovery codes were created',
    ]);
  });

  it('are not made anew without a right code, and not where two-factor authentication is off', async () => {
    const { user, app } = await signUpWithFactor(service());

    const wrong = await renew(user, app.wrong());
    expect([wrong.status, wrong.body.code]).to.deep.equal([401, 'invalid_two_factor_code']);
    expect((await service().post('/api/auth/2fa/recovery-codes', {}, { token: user.token })).status).to.equal(
      400,
    );
    expect(await statusOf(user, app.recoveryCodes[0] ?? '')).to.equal(200);
    const off = await renew(await service().signUp(), '123456');
    expect([off.status, off.body.code]).to.deep.equal([409, 'two_factor_off']);
  });

  it('of one user do nothing for another', async () => {
    const one = await signUpWithFactor(service());
    const other = await signUpWithFactor(service());

    expect(await statusOf(one.user, other.app.recoveryCodes[0] ?? '')).to.equal(401);
    expect(await statusOf(other.user, other.app.recoveryCodes[0] ?? '')).to.equal(200);
  });
});
