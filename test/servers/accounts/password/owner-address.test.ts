import { expect } from 'chai';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';
const HOME = '192.0.2.1';

describe('An address that the owner uses', () => {
  const service = useService({
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT_LOGIN: '30',
    RATE_LIMIT_RESEND: '3',
    RATE_LIMIT_VERIFY: '5',
  });
  const post = (path: string, address: string, body: unknown) =>
    service().post(`/api/auth/${path}`, body, { headers: { 'X-Forwarded-For': address } });
  const logIn = (email: string, address: string, password = PASSWORD) =>
    post('login', address, { email, password });
  const request = async (email: string, address: string) =>
    (await post('password-reset', address, { email })).status;
  const confirm = async (email: string, address: string, code = '00000-00000') =>
    (await post('password-reset/confirm', address, { email, code, newPassword: PASSWORD })).status;

  let addressCount = 0;
  /** An address without earlier calls. */
  const stranger = () => {
    addressCount += 1;
    return `203.0.113.${addressCount}`;
  };

  let ownerCount = 0;
  /** A user who has logged in from home alone. */
  const signUp = async (): Promise<string> => {
    ownerCount += 1;
    const email = `owner${ownerCount}@example.com`;
    await post('register', HOME, { email, password: PASSWORD });
    const code = await service().codeFor(email);
    expect((await post('verify-email', HOME, { email, code })).status).to.equal(200);
    service().clock.advance(61_000);
    return email;
  };

  it('has its own login allowance, which strangers do not use up', async () => {
    const email = await signUp();
    for (let place = 0; place < 30; place += 1) {
      const address = `198.51.100.${place < 15 ? 1 : 2}`;
      expect((await logIn(email, address, 'a wrong password')).status).to.equal(401);
    }
    const refused = await logIn(email, stranger());
    expect(refused.status).to.equal(429);
    expect(refused.body.code).to.equal('rate_limited');
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect((await logIn(email, HOME)).status).to.equal(200);
  });

  it('has its own allowances to request and to confirm a password reset', async () => {
    const email = await signUp();
    for (let time = 0; time < 3; time += 1) expect(await request(email, stranger())).to.equal(200);
    for (let time = 0; time < 5; time += 1) expect(await confirm(email, stranger())).to.equal(401);
    expect([await request(email, stranger()), await confirm(email, stranger())]).to.deep.equal([429, 429]);

    expect(await request(email, HOME)).to.equal(200);
    const { text } = await service().mailTo(email, 5);
    expect(await confirm(email, HOME, /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(text)?.[0])).to.equal(200);
  });
});
