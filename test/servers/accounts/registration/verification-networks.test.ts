import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';
const HOME = '192.0.2.1';

describe('Wrong verification codes from several client networks', () => {
  const service = useService({ TRUSTED_PROXIES: '127.0.0.1' });

  const post = (path: string, address: string, body: unknown) =>
    service().post(`/api/auth/${path}`, body, { headers: { 'X-Forwarded-For': address } });
  const register = (email: string) => post('register', HOME, { email, password: PASSWORD });
  const verify = (email: string, address: string, code = '------') =>
    post('verify-email', address, { email, code });
  const codeOf = async (email: string, address: string) => (await verify(email, address)).body.code;

  let strangers = 0;
  /** Ten wrong codes from each of so many addresses that nobody used before; gives the last of these. */
  const guess = async (email: string, networks: number): Promise<string> => {
    for (let network = 0; network < networks; network += 1) {
      strangers += 1;
      for (let time = 0; time < 10; time += 1)
        expect((await verify(email, `198.51.100.${strangers}`)).status).to.equal(401);
    }
    return `198.51.100.${strangers}`;
  };

  it('bar nobody from signing up, however many came before', async () => {
    const email = 'later@example.com';
    await guess(email, 6);
    expect(await codeOf(email, HOME)).to.equal('verification_held');
    await register(email);
    expect((await verify(email, HOME, await service().codeFor(email))).status).to.equal(200);
  });

  it('from before a registration hold their own network after it', async () => {
    const email = 'before@example.com';
    const stranger = await guess(email, 1);
    await register(email);
    const code = await service().codeFor(email);
    const { status, body, headers } = await verify(email, stranger, code);
    expect([status, body.code]).to.deep.equal([429, 'verification_held']);
    expect(Number(headers.get('retry-after'))).to.be.within(86_000, 86_400);
    expect((await verify(email, HOME, code)).status).to.equal(200);
  });

  it('hold the network that sent ten of them, and no other', async () => {
    const email = 'one-network@example.com';
    await register(email);
    const stranger = await guess(email, 1);
    expect(await codeOf(email, stranger)).to.equal('verification_held');
    expect(await codeOf('another@example.com', stranger)).to.equal('invalid_code');
    await post('resend-verification', HOME, { email });
    expect((await verify(email, HOME, await service().codeFor(email, 2))).status).to.equal(200);
  });

  it('hold the email everywhere when there were sixty of them, one that is unknown alike', async () => {
    const email = 'sixty@example.com';
    await register(email);
    for (const each of [email, 'nobody@example.com']) {
      await guess(each, 5);
      expect(await codeOf(each, HOME)).to.equal('invalid_code');
      for (let time = 0; time < 9; time += 1) await verify(each, '192.0.2.2');
      expect(await codeOf(each, HOME)).to.equal('verification_held');
    }
    await post('resend-verification', HOME, { email });
    const code = await service().codeFor(email, 2);
    expect((await verify(email, HOME, code)).status).to.equal(429);
    service().clock.advance(86_400_000);
    await post('resend-verification', HOME, { email });
    expect((await verify(email, HOME, await service().codeFor(email, 3))).status).to.equal(200);
  });

  it('count ten of a network for the email, also of many sent at once', async () => {
    const email = 'race@example.com';
    await register(email);
    await race(80, () => verify(email, '192.0.2.3'));
    expect(await codeOf(email, '192.0.2.3')).to.equal('verification_held');
    expect(await codeOf(email, HOME)).to.equal('invalid_code');
  });
});
