import { expect } from 'chai';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';
const VARY = new Set(['date', 'x-request-id']);

describe('Known and unknown emails', () => {
  const service = useService({ TRUSTED_PROXIES: '127.0.0.1' });

  let clients = 0;
  /** The whole reply except ids and dates. Each call is from a new client, whose own allowance is unused. */
  const answer = async (path: string, body: unknown) => {
    clients += 1;
    const response = await fetch(`${service().url}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `198.51.100.${clients}` },
      body: JSON.stringify(body),
    });
    const headers = [...response.headers].filter(([name]) => !VARY.has(name));
    return { status: response.status, headers, text: await response.text() };
  };

  const registerUnverified = async (email: string) => {
    await service().post('/api/auth/register', { email, password: PASSWORD });
    await service().mailTo(email);
    return email;
  };
  /** Restores the allowances that the preparations used. */
  const passMinute = () => service().clock.advance(61_000);

  it('get equal replies to a wrong password', async () => {
    const { email } = await service().signUp();
    const waiting = await registerUnverified('waiting1@example.com');
    const body = { password: 'a wrong password' };
    passMinute();
    const unknown = await answer('login', { ...body, email: 'nobody1@example.com' });
    expect(unknown.status).to.equal(401);
    expect(await answer('login', { ...body, email })).to.deep.equal(unknown);
    expect(await answer('login', { ...body, email: waiting })).to.deep.equal(unknown);
  });

  it('get equal replies to a second factor or a pending token', async () => {
    const { email } = await service().signUp();
    for (const body of [
      { password: 'a wrong password', verificationCode: '123456' },
      { pendingToken: 'made.up.token', verificationCode: '123456' },
      { pendingToken: 'made.up.token' },
    ]) {
      passMinute();
      const unknown = await answer('login', { ...body, email: 'nobody2@example.com' });
      expect(unknown.status).to.be.oneOf([400, 401]);
      expect(await answer('login', { ...body, email })).to.deep.equal(unknown);
    }
  });

  it('get equal replies to a wrong code', async () => {
    const { email } = await service().signUp();
    const waiting = await registerUnverified('waiting2@example.com');
    const code =
      /\b\d{6}\b/.exec((await service().mailTo(waiting)).text)?.[0] === '123456' ? '654321' : '123456';
    passMinute();
    const unknown = await answer('verify-email', { code, email: 'nobody3@example.com' });
    expect(unknown.status).to.equal(401);
    expect(await answer('verify-email', { code, email })).to.deep.equal(unknown);
    expect(await answer('verify-email', { code, email: waiting })).to.deep.equal(unknown);
  });

  it('get equal replies to a request for a new code if the known email is unverified', async () => {
    const waiting = await registerUnverified('waiting3@example.com');
    passMinute();
    const unknown = await answer('resend-verification', { email: 'nobody4@example.com' });
    expect(unknown.status).to.equal(200);
    expect(await answer('resend-verification', { email: waiting })).to.deep.equal(unknown);
  });

  it('get equal replies to a registration if the known email is unverified', async () => {
    const waiting = await registerUnverified('waiting4@example.com');
    const again = await answer('register', { email: waiting, password: PASSWORD });
    const first = await answer('register', { email: 'waiting5@example.com', password: PASSWORD });
    expect(first.status).to.equal(201);
    expect(again).to.deep.equal({ ...first, text: first.text.replace('waiting5', 'waiting4') });
  });
});
