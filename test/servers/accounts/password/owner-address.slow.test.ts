import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';
const DAY = 86_400_000;

describe('An address that the owner uses', () => {
  const service = useService({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_LOGIN: '30' });

  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
  const logIn = (email: string, address: string, password = PASSWORD) =>
    service().post('/api/auth/login', { email, password }, from(address));

  let made = 0;
  const signUpFrom = async (address: string): Promise<string> => {
    made += 1;
    const email = `owner${made}@example.com`;
    await service().post('/api/auth/register', { email, password: PASSWORD }, from(address));
    const code = await service().codeFor(email);
    const { status } = await service().post('/api/auth/verify-email', { email, code }, from(address));
    expect(status).to.equal(200);
    return email;
  };

  let strangers = 0;
  /** That many wrong passwords, ten each from addresses that nobody used before, over as many minutes as it takes. */
  const guessElsewhere = async (email: string, times: number) => {
    for (let time = 0; time < times; time += 10) {
      if (time % 20 === 0) service().clock.advance(61_000);
      strangers += 1;
      const replies = await race(10, () => logIn(email, `203.0.113.${strangers}`, 'a wrong password'));
      for (const { status } of replies) expect(status).to.equal(401);
    }
  };

  it('has a login allowance of its own, which strangers do not use up', async () => {
    const email = await signUpFrom('192.0.2.1');
    service().clock.advance(61_000);
    for (let place = 0; place < 30; place += 1) {
      const address = `198.51.100.${place < 15 ? 1 : 2}`;
      expect((await logIn(email, address, 'a wrong password')).status).to.equal(401);
    }
    const refused = await logIn(email, '198.51.100.3');
    expect(refused.status).to.equal(429);
    expect(refused.body.code).to.equal('rate_limited');
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect((await logIn(email, '192.0.2.1')).status).to.equal(200);
  });

  it('is limited to the same number itself', async () => {
    const email = await signUpFrom('192.0.2.2');
    service().clock.advance(61_000);
    for (let time = 0; time < 30; time += 1)
      expect((await logIn(email, '192.0.2.2', 'a wrong password')).status).to.equal(401);
    expect((await logIn(email, '192.0.2.2')).status).to.equal(429);
  });

  it('has a count of wrong passwords of its own, which holds nobody elsewhere', async () => {
    const email = await signUpFrom('192.0.2.3');
    for (let time = 0; time < 100; time += 1) {
      if (time % 25 === 0) service().clock.advance(61_000);
      expect((await logIn(email, '192.0.2.3', 'a wrong password')).status).to.equal(401);
    }
    service().clock.advance(61_000);
    expect((await logIn(email, '192.0.2.3')).body.code).to.equal('login_held');
    expect((await logIn(email, '192.0.2.4')).status).to.equal(200);
  });

  it('is the same one anywhere in its IPv6 network', async () => {
    const email = await signUpFrom('2001:db8:1:2::7');
    await guessElsewhere(email, 100);
    service().clock.advance(61_000);
    expect((await logIn(email, '2001:db8:1:2:aaaa:bbbb:cccc:dddd')).status).to.equal(200);
    expect((await logIn(email, '2001:db8:1:3::7')).body.code).to.equal('login_held');
  });

  it('is one from which they logged in, not only the one they signed up from', async () => {
    const email = await signUpFrom('192.0.2.5');
    await race(10, () => logIn(email, '192.0.2.6', 'a wrong password'));
    expect((await logIn(email, '192.0.2.7')).status).to.equal(200);
    await guessElsewhere(email, 90);
    service().clock.advance(61_000);
    expect((await logIn(email, '192.0.2.7')).status).to.equal(200);
    expect((await logIn(email, '192.0.2.6')).body.code).to.equal('login_held');
  });

  it('is forgotten after 30 days without a login', async () => {
    const email = await signUpFrom('192.0.2.8');
    service().clock.advance(29 * DAY);
    expect((await logIn(email, '192.0.2.8')).status).to.equal(200);
    service().clock.advance(29 * DAY);
    await guessElsewhere(email, 100);
    service().clock.advance(61_000);
    expect((await logIn(email, '192.0.2.8')).status).to.equal(200);

    service().clock.advance(31 * DAY);
    await guessElsewhere(email, 100);
    service().clock.advance(61_000);
    expect((await logIn(email, '192.0.2.8')).body.code).to.equal('login_held');
  });
});
