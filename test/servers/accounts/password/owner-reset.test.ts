import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';
const NEW_PASSWORD = 'another horse battery';
const HOME = '192.0.2.1';
const ELSEWHERE = '192.0.2.2';
const MINUTE = 61_000;
const DAY = 86_400_000;

describe('A password reset while a stranger does the same', () => {
  const service = useService({
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT_RESEND: '3',
    RATE_LIMIT_VERIFY: '5',
  });
  const records = useRecords(service);

  const post = (path: string, address: string, body: unknown) =>
    service().post(`/api/auth/${path}`, body, { headers: { 'X-Forwarded-For': address } });
  const request = async (email: string, address: string) =>
    (await post('password-reset', address, { email })).status;
  const confirm = async (email: string, address: string, code: string) =>
    (await post('password-reset/confirm', address, { email, code, newPassword: NEW_PASSWORD })).status;

  let strangers = 0;
  /** An address that nobody used before. */
  const stranger = () => {
    strangers += 1;
    return `203.0.113.${strangers}`;
  };

  let made = 0;
  /** A user who has logged in from home alone. */
  const signUp = async (): Promise<string> => {
    made += 1;
    const email = `resets${made}@example.com`;
    await post('register', HOME, { email, password: PASSWORD });
    const code = await service().codeFor(email);
    expect((await post('verify-email', HOME, { email, code })).status).to.equal(200);
    service().clock.advance(MINUTE);
    return email;
  };

  /** The reset codes mailed so far, once all that was written is sent. */
  const codesTo = async (email: string): Promise<readonly string[]> => {
    await records().allSent();
    const texts = service()
      .mails.filter(({ to }) => to === email)
      .map(({ text }) => text);
    return texts.flatMap((text) => /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(text) ?? []);
  };
  const newestFor = async (email: string) => (await codesTo(email)).at(-1) ?? '';

  it('is asked for and confirmed at home within an allowance of its own', async () => {
    const email = await signUp();
    for (let time = 0; time < 3; time += 1) expect(await request(email, stranger())).to.equal(200);
    for (let time = 0; time < 5; time += 1)
      expect(await confirm(email, stranger(), '00000-00000')).to.equal(401);
    expect(await request(email, stranger())).to.equal(429);
    expect(await confirm(email, stranger(), '00000-00000')).to.equal(429);

    expect(await request(email, HOME)).to.equal(200);
    expect(await confirm(email, HOME, await newestFor(email))).to.equal(200);
  });

  it('is limited at home, too', async () => {
    const email = await signUp();
    for (let time = 0; time < 3; time += 1) expect(await request(email, HOME)).to.equal(200);
    expect(await request(email, HOME)).to.equal(429);
  });

  it('has a code from home that no stranger replaces, and no mail in its place', async () => {
    const email = await signUp();
    await request(email, HOME);
    const [code = ''] = await codesTo(email);
    expect(await request(email, stranger())).to.equal(200);
    expect(await codesTo(email)).to.deep.equal([code]);
    expect(await confirm(email, HOME, code)).to.equal(200);
  });

  it('has a code from home that wrong tries elsewhere void elsewhere alone', async () => {
    const email = await signUp();
    await request(email, HOME);
    const code = await newestFor(email);
    for (let time = 0; time < 5; time += 1)
      expect(await confirm(email, stranger(), '00000-00000')).to.equal(401);
    service().clock.advance(MINUTE);
    expect(await confirm(email, stranger(), code)).to.equal(401);
    expect(await confirm(email, HOME, code)).to.equal(200);
  });

  it('has a code from home that may be typed elsewhere', async () => {
    const email = await signUp();
    await request(email, HOME);
    const code = await newestFor(email);
    for (let time = 0; time < 4; time += 1)
      expect(await confirm(email, stranger(), '00000-00000')).to.equal(401);
    expect(await confirm(email, ELSEWHERE, code)).to.equal(200);
  });

  it('has a code that five wrong tries at home void everywhere', async () => {
    const email = await signUp();
    await request(email, HOME);
    const code = await newestFor(email);
    for (let time = 0; time < 5; time += 1) expect(await confirm(email, HOME, '00000-00000')).to.equal(401);
    service().clock.advance(MINUTE);
    expect(await confirm(email, HOME, code)).to.equal(401);
    expect(await confirm(email, stranger(), code)).to.equal(401);
  });

  it('replaces at home what a stranger asked for, and a stranger what came from home once that is over', async () => {
    const email = await signUp();
    await request(email, stranger());
    await request(email, HOME);
    service().clock.advance(10 * MINUTE);
    await request(email, stranger());
    const [first = '', second = '', third = ''] = await codesTo(email);
    expect(await confirm(email, HOME, first)).to.equal(401);
    expect(await confirm(email, HOME, second)).to.equal(401);
    expect(await confirm(email, stranger(), third)).to.equal(200);
  });

  it('is mailed twenty times a day for one stranger, as often again for home, and anew the next day', async () => {
    const email = await signUp();
    const one = stranger();
    for (let count = 0; count < 22; count += 1) {
      if (count % 3 === 0) service().clock.advance(MINUTE);
      expect(await request(email, one)).to.equal(200);
    }
    const codes = await codesTo(email);
    expect(codes).to.have.lengthOf(20);
    expect(await request(email, HOME)).to.equal(200);
    expect(await codesTo(email)).to.have.lengthOf(21);
    expect(await confirm(email, HOME, await newestFor(email))).to.equal(200);

    service().clock.advance(DAY);
    expect(await request(email, stranger())).to.equal(200);
    expect(await codesTo(email)).to.have.lengthOf(22);
  });

  it('keeps the code of the last mail of the day good', async () => {
    const email = await signUp();
    const one = stranger();
    for (let count = 0; count < 21; count += 1) {
      if (count % 3 === 0) service().clock.advance(MINUTE);
      expect(await request(email, one)).to.equal(200);
    }
    const codes = await codesTo(email);
    expect(codes).to.have.lengthOf(20);
    expect(await confirm(email, stranger(), codes.at(-1) ?? '')).to.equal(200);
  });
});
