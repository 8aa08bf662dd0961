import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';
const DAY = 86_400_000;

describe('Codes that are mailed unasked', () => {
  // Every request comes from a client of its own, so that only what counts by account is met.
  const service = useService({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_RESEND: '3', HASH_QUEUE: '64' });
  const records = useRecords(service);

  let clients = 0;
  const post = (path: string, body: unknown) => {
    clients += 1;
    const headers = { 'X-Forwarded-For': `198.51.${Math.floor(clients / 250)}.${clients % 250}` };
    return service().post(`/api/auth/${path}`, body, { headers });
  };
  const register = (email: string, password = PASSWORD) => post('register', { email, password });
  const logIn = (email: string) => post('login', { email, password: PASSWORD });
  const resend = (email: string) => post('resend-verification', { email });

  /** The codes that were mailed to an address, once all that was written is sent. */
  const codesTo = async (email: string): Promise<readonly string[]> => {
    await records().allSent();
    const mails = service().mails.filter(({ to }) => to === email);
    return mails.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? '');
  };
  const verify = async (email: string, code: string | undefined) =>
    (await post('verify-email', { email, code })).status;

  it('by logins are three a minute; beyond it the answer is the same and the last code stays valid', async () => {
    const email = 'logs-in@example.com';
    await register(email);
    const replies = [];
    for (let time = 0; time < 6; time += 1) replies.push(await logIn(email));
    for (const { status, body } of replies) {
      expect(status).to.equal(401);
      expect(body).to.deep.equal(replies[0]?.body);
    }
    const codes = await codesTo(email);
    expect(codes).to.have.lengthOf(4);
    expect(await verify(email, codes.at(-1))).to.equal(200);
  });

  it('by registering again are three a minute; beyond it likewise', async () => {
    const email = 'registers@example.com';
    const replies = [];
    for (let time = 0; time < 6; time += 1) replies.push(await register(email));
    for (const { status, body } of replies) {
      expect(status).to.equal(201);
      expect(body).to.deep.equal(replies[0]?.body);
    }
    const codes = await codesTo(email);
    expect(codes).to.have.lengthOf(4);
    expect(await verify(email, codes.at(-1))).to.equal(200);
  });

  it('count together, with those asked for, whose route refuses what is beyond', async () => {
    const email = 'both@example.com';
    await register(email);
    await logIn(email);
    expect((await resend(email)).status).to.equal(200);
    await register(email);
    expect(await codesTo(email)).to.have.lengthOf(4);

    const { status, headers } = await resend(email);
    expect(status).to.equal(429);
    expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
    await logIn(email);
    expect(await codesTo(email)).to.have.lengthOf(4);

    service().clock.advance(61_000);
    await logIn(email);
    const codes = await codesTo(email);
    expect(codes).to.have.lengthOf(5);
    expect(await verify(email, codes.at(-1))).to.equal(200);
  });

  it('come again a minute later, but no more than twenty a day', async () => {
    const email = 'all-day@example.com';
    await register(email);
    for (let count = 2; count <= 20; count += 1) {
      if (count % 3 === 2) service().clock.advance(61_000);
      if (count % 2 === 0) await logIn(email);
      else await register(email);
    }
    const codes = await codesTo(email);
    expect(codes).to.have.lengthOf(20);

    service().clock.advance(61_000);
    expect((await logIn(email)).body).to.have.property('emailVerified', false);
    expect((await register(email)).status).to.equal(201);
    expect(await codesTo(email)).to.have.lengthOf(20);

    // What the owner asks for by name is mailed all the same: nobody can use that up for them.
    expect((await resend(email)).status).to.equal(200);
    const asked = await codesTo(email);
    expect(asked).to.have.lengthOf(21);
    expect(await verify(email, asked.at(-1))).to.equal(200);
  });

  it('come again a day later', async () => {
    const email = 'next-day@example.com';
    await register(email);
    for (let count = 2; count <= 22; count += 1) {
      if (count % 3 === 2) service().clock.advance(61_000);
      await logIn(email);
    }
    expect(await codesTo(email)).to.have.lengthOf(20);
    service().clock.advance(DAY);
    await logIn(email);
    const codes = await codesTo(email);
    expect(codes).to.have.lengthOf(21);
    expect(await verify(email, codes.at(-1))).to.equal(200);
  });

  it('use up no more of the day than was mailed, when many register at once', async () => {
    const email = 'at-once@example.com';
    await race(20, () => register(email));
    expect(await codesTo(email)).to.have.lengthOf(4);
    service().clock.advance(61_000);
    await resend(email);
    const codes = await codesTo(email);
    expect(codes).to.have.lengthOf(5);
    expect(await verify(email, codes.at(-1))).to.equal(200);
  });

  it('open no stranger’s registration of which no mail has told, without its password', async () => {
    const email = 'silently@example.com';
    await register(email);
    for (let time = 0; time < 3; time += 1) await post('password-reset', { email });
    expect((await register(email, 'a password of a stranger')).status).to.equal(201);
    const [code, ...more] = await codesTo(email);
    expect(more).to.deep.equal([]);

    const blind = await post('verify-email', { email, code });
    expect([blind.status, blind.body.code]).to.deep.equal([401, 'wrong_credentials']);
    const owner = await post('verify-email', { email, code, password: PASSWORD });
    expect([owner.status, owner.body.code]).to.deep.equal([401, 'wrong_credentials']);
    service().clock.advance(61_000);
    await register(email);
    const newest = (await codesTo(email)).at(-1);
    expect((await post('verify-email', { email, code: newest, password: PASSWORD })).status).to.equal(200);
  });

  it('cannot be made to use up the resets of a password', async () => {
    const email = 'resets@example.com';
    await register(email);
    for (let count = 0; count < 25; count += 1) {
      if (count % 3 === 0) service().clock.advance(61_000);
      await logIn(email);
    }
    const codes = await codesTo(email);
    expect(codes).to.have.lengthOf(20);
    expect(await verify(email, codes.at(-1))).to.equal(200);
    service().clock.advance(61_000);
    expect((await post('password-reset', { email })).status).to.equal(200);
    await records().allSent();
    expect(service().mails.filter(({ to }) => to === email)).to.have.lengthOf(21);
  });

  it('are not sent for a verified account, which they cost nothing', async () => {
    const email = 'verified@example.com';
    await register(email);
    const [code] = await codesTo(email);
    await verify(email, code);
    for (let time = 0; time < 5; time += 1) expect((await logIn(email)).status).to.equal(200);
    expect(await codesTo(email)).to.have.lengthOf(1);
  });
});
