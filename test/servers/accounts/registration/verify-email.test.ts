import { expect } from 'chai';
import { inRounds, race } from '../../../contracts/race.ts';
import { useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

const PASSWORD = 'correct horse battery';
const MINUTE = 60_000;

describe('Verifying an email', () => {
  const service = useService();
  before(() => service().clock.stop());
  const verify = (body: unknown) => service().post('/api/auth/verify-email', body);
  const resend = (email: string) => service().post('/api/auth/resend-verification', { email });

  let made = 0;
  const register = async (displayName?: string) => {
    made += 1;
    const email = `someone${made}@example.com`;
    await service().post('/api/auth/register', {
      email,
      password: PASSWORD,
      ...(displayName === undefined ? {} : { displayName }),
    });
    return { email, code: await service().codeFor(email) };
  };
  const wrong = (code: string, place = 0) => String((Number(code) + 1 + place) % 1_000_000).padStart(6, '0');
  const guess = async (email: string, code: string, times: number) => {
    for (let time = 0; time < times; time += 1)
      expect((await verify({ email, code: wrong(code) })).status).to.equal(401);
  };

  it('answers as a login does', async () => {
    const { email, code } = await register('Ada');
    const { status, body } = await verify({ email, code });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('user', 'token', 'refreshToken', 'services', 'banned', 'disabled');
    expect(body.user).to.have.all.keys('id', 'email', 'displayName', 'avatar');
    expect(body.user).to.include({ email, displayName: 'Ada', avatar: null });
    expect(body).to.deep.include({ services: [], banned: false, disabled: false });
  });

  it('gives tokens that are good', async () => {
    const { body } = await verify(await register());
    const me = await service().request('GET', '/api/auth/me', { token: String(body.token) });
    expect(me.body.user?.id).to.equal(body.user?.id);
    const refresh = await service().post('/api/auth/refresh', { refreshToken: body.refreshToken });
    expect(refresh.status).to.equal(200);
  });

  it('tells the product around that the user is verified', async () => {
    const { body } = await verify(await register());
    const told = () => service().events.filter(({ userId }) => userId === String(body.user?.id));
    await until(() => told().length > 1);
    expect(told().map(({ type }) => type)).to.deep.equal(['user.created', 'user.verified']);
  });

  it('refuses a wrong code and says no more than that', async () => {
    const { email, code } = await register();
    const { status, body, headers } = await verify({ email, code: wrong(code) });
    expect(status).to.equal(401);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('invalid_code');
    expect(headers.get('www-authenticate')).to.equal('Bearer');
  });

  it('forgives four wrong codes', async () => {
    const { email, code } = await register();
    await guess(email, code, 4);
    expect((await verify({ email, code })).status).to.equal(200);
  });

  it('makes a code void with the fifth wrong one, and a new one good', async () => {
    const { email, code } = await register();
    await guess(email, code, 5);
    expect((await verify({ email, code })).status).to.equal(401);
    await resend(email);
    expect((await verify({ email, code: await service().codeFor(email, 2) })).status).to.equal(200);
  });

  it('makes it void with the fifth of many sent at once, too', async () => {
    await inRounds(async () => {
      const { email, code } = await register();
      const replies = await race(9, (place) => verify({ email, code: wrong(code, place) }));
      for (const { status } of replies) expect(status).to.equal(401);
      expect((await verify({ email, code })).status).to.equal(401);
    });
  });

  it('takes a code for 15 minutes', async () => {
    const { email, code } = await register();
    service().clock.advance(15 * MINUTE - 5_000);
    expect((await verify({ email, code })).status).to.equal(200);

    const late = await register();
    service().clock.advance(15 * MINUTE);
    expect((await verify(late)).status).to.equal(401);
  });

  it('takes a code once', async () => {
    const given = await register();
    expect((await verify(given)).status).to.equal(200);
    const { status, body } = await verify(given);
    expect(status).to.equal(401);
    expect(body.code).to.equal('invalid_code');
  });

  it('takes a code once of any number of times at once', async () => {
    await inRounds(async () => {
      const given = await register();
      const replies = await race(20, () => verify(given));
      expect(replies.filter(({ status }) => status === 200)).to.have.lengthOf(1);
    });
  });

  it('refuses the code of another user', async () => {
    const [ada, ken] = [await register(), await register()];
    expect((await verify({ email: ada.email, code: ken.code })).status).to.equal(401);
    expect((await verify(ada)).status).to.equal(200);
    expect((await verify(ken)).status).to.equal(200);
  });

  it('leaves codes for another purpose to that: one to verify resets no password', async () => {
    const { email, code } = await register();
    const reset = { email, code, newPassword: 'another password' };
    expect((await service().post('/api/auth/password-reset/confirm', reset)).status).to.equal(401);
    expect((await verify({ email, code })).status).to.equal(200);
  });

  it('refuses an unknown email as it does a wrong code', async () => {
    const { email, code } = await register();
    const known = await verify({ email, code: wrong(code) });
    const unknown = await verify({ email: 'nobody@example.com', code });
    expect(unknown.status).to.equal(401);
    expect(unknown.body).to.deep.equal(known.body);
  });

  it('answers 400 unless the code has six characters, and counts no try', async () => {
    const { email, code } = await register();
    for (const other of ['', '12345', `${code}0`, ` ${code}`, Number(code), [code], null, undefined]) {
      for (let time = 0; time < 2; time += 1) {
        const { status, body } = await verify({ email, code: other });
        expect(status).to.equal(400);
        expect(body).to.have.all.keys('message', 'code');
      }
    }
    expect((await verify({ email, code })).status).to.equal(200);
  });

  it('takes six other characters for a wrong code', async () => {
    const { email, code } = await register();
    const wide = [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('');
    for (const other of ['abcdef', wide, '🦊🦊🦊🦊🦊🦊'])
      expect((await verify({ email, code: other })).status).to.equal(401);
    expect((await verify({ email, code })).status).to.equal(200);
  });

  it('answers 400 without an email', async () => {
    expect((await verify({ code: '123456' })).status).to.equal(400);
    expect((await verify({ email: { $ne: '' }, code: '123456' })).status).to.equal(400);
  });
});
