import { expect } from 'chai';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';

/** For each route the calls a minute, and the body of a call for an email. */
const routes: Readonly<Record<string, readonly [limit: number, body: (email: string) => object]>> = {
  'verify-email': [5, (email) => ({ email, code: '000000' })],
  'resend-verification': [3, (email) => ({ email })],
  login: [30, (email) => ({ email, password: PASSWORD })],
};

describe('The allowances of sign-up and login', () => {
  const service = useService({
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT_VERIFY: '5',
    RATE_LIMIT_RESEND: '3',
    RATE_LIMIT_LOGIN: '30',
  });

  let clients = 0;
  /** Calls from a new client address. */
  const call = async (path: string, body: unknown) => {
    clients += 1;
    const headers = { 'X-Forwarded-For': `203.0.113.${clients}` };
    return (await service().post(`/api/auth/${path}`, body, { headers })).status;
  };

  for (const [path, [limit, bodyOf]] of Object.entries(routes))
    it(`are ${limit} calls of ${path} a minute for each email, known or not, over all clients`, async () => {
      const known = `known-to-${path}@example.com`;
      await call('register', { email: known, password: PASSWORD });
      service().clock.advance(61_000);
      for (const email of [known, `unknown-to-${path}@example.com`]) {
        const spellings = [email, email.toUpperCase(), ` ${email}`];
        for (let count = 1; count <= limit; count += 1)
          expect(await call(path, bodyOf(spellings[count % 3] ?? email))).to.not.equal(429);
        expect(await call(path, bodyOf(email))).to.equal(429);
      }
      service().clock.advance(60_000);
      expect(await call(path, bodyOf(known))).to.not.equal(429);
    });
});
