import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';
const MINUTE = 60_000;

describe('Asking for a new verification code', () => {
  const service = useService();
  before(() => service().clock.stop());
  const records = useRecords(service);
  const post = (path: string, body: unknown) => service().post(`/api/auth/${path}`, body);
  const resend = (email: unknown) => post('resend-verification', { email });
  const mailsTo = (email: string) => service().mails.filter(({ to }) => to === email);

  let made = 0;
  const register = async () => {
    made += 1;
    const email = `waiting${made}@example.com`;
    await post('register', { email, password: PASSWORD });
    return { email, code: await service().codeFor(email) };
  };

  it('mails one and makes the one before void', async () => {
    const { email, code } = await register();
    const { status, body } = await resend(email);
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('message');

    const next = await service().codeFor(email, 2);
    expect((await post('verify-email', { email, code })).status).to.equal(401);
    expect((await post('verify-email', { email, code: next })).status).to.equal(200);
  });

  it('gives one that is good for 15 minutes from then', async () => {
    const { email } = await register();
    service().clock.advance(14 * MINUTE);
    await resend(email);
    const code = await service().codeFor(email, 2);
    service().clock.advance(15 * MINUTE - 5_000);
    expect((await post('verify-email', { email, code })).status).to.equal(200);
  });

  it('gives one in place of one that expired', async () => {
    const { email, code } = await register();
    service().clock.advance(16 * MINUTE);
    expect((await post('verify-email', { email, code })).status).to.equal(401);
    await resend(email);
    const next = await service().codeFor(email, 2);
    expect((await post('verify-email', { email, code: next })).status).to.equal(200);
  });

  it('sends each of several mails, in the order in which they were asked for', async () => {
    const { email } = await register();
    await resend(email);
    await resend(email);
    await records().allSent();
    const codes = mailsTo(email).map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]);
    expect(codes).to.have.lengthOf(3);
    expect((await post('verify-email', { email, code: codes[1] })).status).to.equal(401);
    expect((await post('verify-email', { email, code: codes[2] })).status).to.equal(200);
  });

  it('answers the same for an unknown email, and mails nothing', async () => {
    const { email } = await register();
    const [known, unknown] = [await resend(email), await resend('nobody@example.com')];
    expect(unknown.status).to.equal(200);
    expect(unknown.body).to.deep.equal(known.body);
    await records().allSent();
    expect(mailsTo('nobody@example.com')).to.be.empty;
  });

  it('answers 409 for a verified email, and mails nothing', async () => {
    const { email } = await service().signUp();
    await records().allSent();
    const before = mailsTo(email).length;
    const { status, body } = await resend(email);
    expect(status).to.equal(409);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('already_verified');
    await records().allSent();
    expect(mailsTo(email)).to.have.lengthOf(before);
  });

  it('answers 400 for what is no email', async () => {
    for (const email of [undefined, null, 7, '', 'nobody', ['a@example.com'], { $ne: '' }])
      expect((await resend(email)).status).to.equal(400);
  });

  it('uses up nothing for an unknown email that its owner needs to register later', async () => {
    const email = 'later@example.com';
    for (let time = 0; time < 25; time += 1) await resend(email);
    await post('register', { email, password: PASSWORD });
    await service().codeFor(email);
    await resend(email);
    const code = await service().codeFor(email, 2);
    expect((await post('verify-email', { email, code })).status).to.equal(200);
  });
});
