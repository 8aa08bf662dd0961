import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import { openTestService, type Reply, type TestService } from '../../../support/service.ts';

const EMAIL = 'held@example.com';
const UNKNOWN = 'nobody@example.com';
const HOUR = 3_600_000;

describe('Ten wrong codes in a day', () => {
  let folder: string;
  let service: TestService;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-hold-'));
    service = await openTestService({}, folder);
    service.clock.stop();
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const verify = (email: string, code: string) => service.post('/api/auth/verify-email', { email, code });
  let mailed = 0;
  const nextCode = async (): Promise<string> => {
    mailed += 1;
    return service.codeFor(EMAIL, mailed);
  };
  const resend = async (): Promise<string> => {
    expect((await service.post('/api/auth/resend-verification', { email: EMAIL })).status).to.equal(200);
    return nextCode();
  };
  /** How many seconds a held email has to wait still. */
  const wait = ({ status, body, headers }: Reply): number => {
    expect(status).to.equal(429);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('verification_held');
    return Number(headers.get('retry-after'));
  };

  it('are refused each, whatever new codes are sent between them', async () => {
    await service.post('/api/auth/register', { email: EMAIL, password: 'correct horse battery' });
    let code = await nextCode();
    for (let count = 1; count <= 10; count += 1) {
      const wrong = code === '000000' ? '111111' : '000000';
      expect((await verify(EMAIL, wrong)).status).to.equal(401);
      expect((await verify(UNKNOWN, wrong)).status).to.equal(401);
      if (count % 3 === 0) code = await resend();
      if (count === 1) service.clock.advance(HOUR);
    }
  });

  it('hold the email: even the right code is 429 now, until 24 h after the first of them', async () => {
    const seconds = wait(await verify(EMAIL, await resend()));
    expect(seconds).to.equal(23 * 3_600);
  });

  it('hold an unknown email alike', async () => {
    const [known, unknown] = [await verify(EMAIL, '123456'), await verify(UNKNOWN, '123456')];
    expect(wait(unknown)).to.equal(wait(known));
    expect(unknown.body).to.deep.equal(known.body);
  });

  it('hold no other email', async () => {
    expect((await service.signUp()).token).to.match(/^ey/);
  });

  it('hold it after a restart of the service as well', async () => {
    const now = service.clock.now();
    await service.close();
    service = await openTestService({}, folder);
    service.clock.stop();
    service.clock.advance(now - service.clock.now());
    mailed = 0;
    expect(wait(await verify(EMAIL, await resend()))).to.equal(23 * 3_600);
    expect(wait(await verify(UNKNOWN, '123456'))).to.equal(23 * 3_600);
  });

  it('hold it no longer for what is tried meanwhile', async () => {
    service.clock.advance(23 * HOUR - 60_000);
    const [first, second] = [wait(await verify(EMAIL, '000000')), wait(await verify(EMAIL, '000000'))];
    expect(second).to.be.at.most(first).and.at.most(60);
  });

  it('are forgotten 24 h after the first of them', async () => {
    service.clock.advance(60_000);
    expect((await verify(UNKNOWN, '123456')).status).to.equal(401);
    expect((await verify(EMAIL, await resend())).status).to.equal(200);
  });

  it('are ten, also of many sent at once', async () => {
    const replies = await race(40, () => verify('race@example.com', '123456'));
    expect(replies.filter(({ status }) => status === 401)).to.have.lengthOf(10);
    for (const reply of replies) if (reply.status !== 401) wait(reply);
  });
});
