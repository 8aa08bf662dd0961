import { expect } from 'chai';
import { type TestService, useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';

/** Calls a minute, and what a call of each is, for the email given. */
const routes: Readonly<Record<string, readonly [limit: number, body: (email: string) => object]>> = {
  register: [10, (email) => ({ email, password: PASSWORD })],
  'verify-email': [5, (email) => ({ email, code: '000000' })],
  'resend-verification': [3, (email) => ({ email })],
  login: [30, (email) => ({ email, password: PASSWORD })],
};

describe('The allowances of sign-up and login', () => {
  const service = useService({
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT_REGISTER: '10',
    RATE_LIMIT_VERIFY: '5',
    RATE_LIMIT_RESEND: '3',
    RATE_LIMIT_LOGIN: '30',
  });

  let made = 0;
  const newName = () => {
    made += 1;
    return made;
  };
  const newEmail = () => `limited${newName()}@example.com`;
  const newAddress = () => `203.0.113.${newName()}`;
  const call = (path: string, body: unknown, address: string): ReturnType<TestService['post']> =>
    service().post(`/api/auth/${path}`, body, { headers: { 'X-Forwarded-For': address } });

  for (const [path, [limit, bodyOf]] of Object.entries(routes)) {
    it(`are ${limit} calls of ${path} a minute for a client, refused ones among them`, async () => {
      const address = newAddress();
      for (let count = 1; count <= limit; count += 1) {
        const body = count % 2 === 0 ? { nothing: 'right' } : bodyOf(newEmail());
        const { status, headers } = await call(path, body, address);
        expect(status).to.not.equal(429);
        expect(headers.get('ratelimit-limit')).to.equal(String(limit));
        expect(headers.get('ratelimit-remaining')).to.equal(String(limit - count));
      }
      const { status, body, headers } = await call(path, bodyOf(newEmail()), address);
      expect(status).to.equal(429);
      expect(body).to.have.all.keys('message', 'code');
      expect(body.code).to.equal('rate_limited');
      expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
      expect(headers.get('retry-after')).to.equal(headers.get('ratelimit-reset'));
      expect((await call(path, bodyOf(newEmail()), newAddress())).status).to.not.equal(429);

      service().clock.advance(60_000);
      expect((await call(path, bodyOf(newEmail()), address)).status).to.not.equal(429);
    });

    if (path === 'register') continue;
    it(`are as many of ${path} for an email, from whatever clients, known or not`, async () => {
      const known = newEmail();
      await call('register', { email: known, password: PASSWORD }, newAddress());
      service().clock.advance(61_000);
      for (const email of [known, newEmail()]) {
        const spellings = [email, email.toUpperCase(), ` ${email}`];
        for (let count = 1; count <= limit; count += 1) {
          const { status } = await call(path, bodyOf(spellings[count % 3] ?? email), newAddress());
          expect(status).to.not.equal(429);
        }
        expect((await call(path, bodyOf(email), newAddress())).status).to.equal(429);
      }
    });
  }
});
