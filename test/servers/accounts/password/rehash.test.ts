import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openRecords } from '../../../support/records.ts';
import { openTestService, type TestService, type User } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { makeApp, turnOnFactor } from '../second-factor/factor.ts';

describe('A password hashed with other parameters', () => {
  let folder: string;
  let service: TestService;
  let plain: User;
  let careful: User;
  let app: ReturnType<typeof makeApp>;

  const hashOf = async (email: string): Promise<string> => {
    const records = openRecords(service);
    const { passwordHash } = await records.accountOf(email);
    await records.close();
    return String(passwordHash);
  };
  const logIn = (user: User, more: { password?: string; verificationCode?: string } = {}) =>
    service.post('/api/auth/login', { email: user.email, password: user.password, ...more });

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-hash-'));
    service = await openTestService({ SCRYPT: 'ln=9,r=4,p=2' }, folder);
    plain = await service.signUp({ email: 'plain@example.com' });
    careful = await service.signUp({ email: 'careful@example.com' });
    app = await turnOnFactor(service, careful);
    const offset = service.clock.now() - Date.now();
    await service.close();
    service = await openTestService({ SCRYPT: 'ln=8,r=8,p=1' }, folder);
    service.clock.advance(offset);
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('stays as it is while wrong ones are tried', async () => {
    const before = await hashOf(plain.email);
    expect(before).to.match(/^\$scrypt\$ln=9,r=4,p=2\$/);
    expect((await logIn(plain, { password: 'a wrong password' })).status).to.equal(401);
    expect(await hashOf(plain.email)).to.equal(before);
  });

  it('is right still, and hashed anew at the login', async () => {
    expect((await logIn(plain)).status).to.equal(200);
    expect(await hashOf(plain.email)).to.match(/^\$scrypt\$ln=8,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  it('is the same password as before', async () => {
    expect((await logIn(plain, { password: 'a wrong password' })).status).to.equal(401);
    expect((await logIn(plain)).status).to.equal(200);
  });

  it('is not hashed again once its parameters are ours', async () => {
    const before = await hashOf(plain.email);
    expect((await logIn(plain)).status).to.equal(200);
    expect(await hashOf(plain.email)).to.equal(before);
  });

  it('ends no session when it is hashed anew', async () => {
    const { status } = await service.post('/api/auth/refresh', { refreshToken: plain.refreshToken });
    expect(status).to.equal(200);
  });

  it('is hashed anew once both factors are proved', async () => {
    const { secret } = app;
    expect((await logIn(careful)).body.requires2FA).to.equal(true);
    expect(await hashOf(careful.email)).to.contain('ln=9,');
    const verificationCode = makeApp(service, secret).fresh();
    expect((await logIn(careful, { verificationCode })).status).to.equal(200);
    expect(await hashOf(careful.email)).to.contain('ln=8,');
  });
});

describe('A password hashed at a lower cost', () => {
  it('is hashed anew soon after the login', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-hash-'));
    let service = await openTestService({ SCRYPT: 'ln=7,r=8,p=1' }, folder);
    const { email, password } = await service.signUp();
    await service.close();
    service = await openTestService({ SCRYPT: 'ln=8,r=8,p=1' }, folder);
    try {
      expect((await service.post('/api/auth/login', { email, password })).status).to.equal(200);
      const records = openRecords(service);
      await until(async () => {
        const { passwordHash } = await records.accountOf(email);
        return String(passwordHash).startsWith('$scrypt$ln=8,r=8,p=1$');
      });
      await records.close();
      expect((await service.post('/api/auth/login', { email, password })).status).to.equal(200);
    } finally {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
