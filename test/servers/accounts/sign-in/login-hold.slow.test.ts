import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import { openTestService, type Reply, type TestService, type User } from '../../../support/service.ts';

const HOUR = 3_600_000;
const UNKNOWN = 'nobody@example.com';
const STRANGER = '198.51.100.7';
const settings = { TRUSTED_PROXIES: '127.0.0.1' };

describe('A hundred wrong passwords in a day', () => {
  let folder: string;
  let service: TestService;
  let owner: User;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-hold-'));
    service = await openTestService(settings, folder);
    owner = await service.signUp({ email: 'owner@example.com' });
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Logs in from elsewhere than the owner signed up from. */
  const logIn = (email: string, password: string, address = STRANGER) =>
    service.post('/api/auth/login', { email, password }, { headers: { 'X-Forwarded-For': address } });
  const guess = async (email: string, times: number) => {
    for (let time = 0; time < times; time += 10) {
      const replies = await race(10, () => logIn(email, 'a wrong password'));
      for (const { status } of replies) expect(status).to.equal(401);
    }
  };
  /** How many seconds a held email has to wait still. */
  const wait = ({ status, body, headers }: Reply): number => {
    expect(status).to.equal(429);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('login_held');
    return Number(headers.get('retry-after'));
  };

  it('are refused each', async () => {
    for (const email of [owner.email, UNKNOWN]) await guess(email, 10);
    service.clock.advance(HOUR);
    for (const email of [owner.email, UNKNOWN]) await guess(email, 80);
  });

  it('are not yet reached with a right one among them', async () => {
    expect((await logIn(owner.email, owner.password, '198.51.100.8')).status).to.equal(200);
    for (const email of [owner.email, UNKNOWN]) await guess(email, 10);
  });

  it('hold the password login, the right password too, until 24 h after the first of them', async () => {
    expect(wait(await logIn(owner.email, owner.password))).to.be.within(23 * 3_600 - 60, 23 * 3_600);
  });

  it('hold an unknown email alike', async () => {
    const [known, unknown] = [await logIn(owner.email, 'x'), await logIn(UNKNOWN, 'x')];
    expect(wait(unknown)).to.be.closeTo(wait(known), 2);
    expect(unknown.body).to.deep.equal(known.body);
  });

  it('hold it from every address that the owner does not use', async () => {
    wait(await logIn(owner.email, owner.password, '203.0.113.9'));
  });

  it('do not shut the owner out, at an address they use', async () => {
    for (const address of ['127.0.0.1', '198.51.100.8'])
      expect((await logIn(owner.email, owner.password, address)).status).to.equal(200);
  });

  it('touch no live session', async () => {
    const { body } = await service.post('/api/auth/refresh', { refreshToken: owner.refreshToken });
    const me = await service.request('GET', '/api/auth/me', { token: String(body.token) });
    expect(me.status).to.equal(200);
    owner = { ...owner, token: String(body.token), refreshToken: String(body.refreshToken) };
  });

  it('hold no other email', async () => {
    const other = await service.signUp();
    expect((await logIn(other.email, other.password)).status).to.equal(200);
  });

  it('hold it after a restart of the service as well', async () => {
    const offset = service.clock.now() - Date.now();
    await service.close();
    service = await openTestService(settings, folder);
    service.clock.advance(offset);
    wait(await logIn(owner.email, owner.password));
    wait(await logIn(UNKNOWN, owner.password));
  });

  it('hold it until 24 h after the first of them, and not for what is tried meanwhile', async () => {
    service.clock.advance(23 * HOUR - 60_000);
    const [first, second] = [wait(await logIn(owner.email, 'x')), wait(await logIn(owner.email, 'x'))];
    expect(second).to.be.at.most(first).and.at.most(60);
    service.clock.advance(60_000);
    expect((await logIn(owner.email, owner.password)).status).to.equal(200);
    expect((await logIn(UNKNOWN, owner.password)).status).to.equal(401);
  });

  it('hold it until the password is reset', async () => {
    const { email, password } = await service.signUp({ email: 'resets@example.com' });
    await guess(email, 100);
    wait(await logIn(email, password));
    await service.post('/api/auth/password-reset', { email });
    const code = /[0-9A-Z]{5}-[0-9A-Z]{5}/.exec((await service.mailTo(email, 2)).text)?.[0];
    const reset = { email, code, newPassword: 'the new password' };
    expect((await service.post('/api/auth/password-reset/confirm', reset)).status).to.equal(200);
    expect((await logIn(email, password)).status).to.equal(401);
    expect((await logIn(email, 'the new password')).status).to.equal(200);
  });

  it('are a hundred, also of many sent at once', async () => {
    const email = 'race@example.com';
    await guess(email, 90);
    const replies = await race(15, () => logIn(email, 'a wrong password'));
    expect(replies.filter(({ status }) => status === 401)).to.have.lengthOf(10);
    for (const reply of replies) if (reply.status !== 401) wait(reply);
  });
});
