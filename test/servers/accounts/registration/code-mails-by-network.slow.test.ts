import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';
const HOME = '192.0.2.1';
const DAY = 86_400_000;

describe('Mails with codes', () => {
  const service = useService({ TRUSTED_PROXIES: '127.0.0.1' });
  const records = useRecords(service);

  const post = (path: string, address: string, body: unknown) =>
    service().post(`/api/auth/${path}`, body, { headers: { 'X-Forwarded-For': address } });
  const register = (email: string, address = HOME) =>
    post('register', address, { email, password: PASSWORD });
  const resend = (email: string, address: string) => post('resend-verification', address, { email });
  const reset = (email: string, address: string) => post('password-reset', address, { email });

  const sentTo = async (email: string): Promise<readonly string[]> => {
    await records().allSent();
    return service().mails.flatMap(({ to, text }) => (to === email ? [text] : []));
  };
  const digitsOf = (text = '') => /\b\d{6}\b/.exec(text)?.[0];
  const verify = async (email: string) => {
    const code = digitsOf((await sentTo(email)).at(-1));
    return (await post('verify-email', HOME, { email, code, password: PASSWORD })).status;
  };
  const signUp = async (email: string) => {
    await register(email);
    expect(await verify(email)).to.equal(200);
  };
  /** So many calls, all of which get the same answer. */
  const repeat = async (times: number, call: () => ReturnType<typeof post>) => {
    const replies = [];
    for (let time = 0; time < times; time += 1) replies.push(await call());
    for (const { status, body } of replies)
      expect([status, body]).to.deep.equal([replies[0]?.status, replies[0]?.body]);
  };

  const byRoute: Record<string, (email: string) => ReturnType<typeof post>> = {
    login: (email) => post('login', HOME, { email, password: PASSWORD }),
    registration: (email) => register(email),
    resend: (email) => resend(email, HOME),
  };
  for (const [name, call] of Object.entries(byRoute)) {
    it(`are twenty a day for one client network by ${name}; the last code stays good`, async () => {
      const email = `${name}@example.com`;
      await register(email);
      await repeat(25, () => call(email));
      expect(await sentTo(email)).to.have.lengthOf(20);
      expect(await verify(email)).to.equal(200);
    });
  }

  it('are twenty a day for one client network by password reset; the last code stays good', async () => {
    const email = 'reset@example.com';
    await signUp(email);
    await repeat(25, () => reset(email, '192.0.2.9'));
    const mails = (await sentTo(email)).slice(1);
    expect(mails).to.have.lengthOf(20);
    const code = /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(mails.at(-1) ?? '')?.[0];
    const confirmed = await post('password-reset/confirm', HOME, { email, code, newPassword: 'a new one 8' });
    expect(confirmed.status).to.equal(200);
  });

  it('are twenty a day for one client network by all routes together', async () => {
    const email = 'together@example.com';
    await register(email);
    for (let time = 0; time < 8; time += 1) {
      await resend(email, HOME);
      await post('login', HOME, { email, password: PASSWORD });
    }
    expect(await verify(email)).to.equal(200);
    await repeat(5, () => reset(email, HOME));
    expect(await sentTo(email)).to.have.lengthOf(20);
  });

  it('are sixty a day for an address, of which no network uses up more than its own', async () => {
    const email = 'all@example.com';
    await register(email);
    await repeat(70, () => resend(email, '198.51.100.1'));
    expect(await sentTo(email)).to.have.lengthOf(21);
    for (const host of [2, 3]) await repeat(19, () => resend(email, `198.51.100.${host}`));
    expect(await sentTo(email)).to.have.lengthOf(59);
    await repeat(5, () => resend(email, '198.51.100.4'));
    await repeat(5, () => resend(email, HOME));
    expect(await sentTo(email)).to.have.lengthOf(60);
    expect(await verify(email)).to.equal(200);
    await repeat(5, () => reset(email, HOME));
    expect(await sentTo(email)).to.have.lengthOf(60);
    service().clock.advance(DAY);
    await reset(email, HOME);
    expect(await sentTo(email)).to.have.lengthOf(61);
  });

  it('that are asked for before there is an account use up nothing of what it may get', async () => {
    const email = 'later@example.com';
    for (const host of [1, 2, 3, 4]) {
      await repeat(10, () => resend(email, `198.51.100.${host}`));
      await repeat(10, () => reset(email, `198.51.100.${host}`));
    }
    await repeat(20, () => resend(email, HOME));
    await register(email);
    await resend(email, HOME);
    expect(await sentTo(email)).to.have.lengthOf(2);
  });
});
