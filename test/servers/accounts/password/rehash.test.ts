import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openRecords } from '../../../support/records.ts';
import { openTestService, type TestService, type User } from '../../../support/service.ts';
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

  it('is right still, and hashed anew at the login', async () => {
    expect((await logIn(plain)).status).to.equal(200);
    expect(await hashOf(plain.email)).to.match(/^\$scrypt\$ln=8,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
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
