import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createVerifier } from '../../../servers/verify/index.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { refusalOf } from './jwks.ts';

describe('The issuer and audience of a verifier', () => {
  const folder = useTempFolder();
  const open = (settings: Readonly<Record<string, string>> = {}) => openTestService(settings, folder());
  /** Whether a verifier with these options accepts a token. */
  const accepts = async (token: string, options: Parameters<typeof createVerifier>[0]) => {
    const verified = createVerifier(options).verify(token);
    const refusal = await verified.then(
      () => undefined,
      () => refusalOf(verified),
    );
    if (refusal !== undefined) expect(refusal.code).to.equal('invalid_token');
    return refusal === undefined;
  };

  it('are PUBLIC_URL and TOKEN_AUDIENCE, independent of the address of the requests', async () => {
    const issuer = 'https://accounts.example.com';
    const service = await open({ PUBLIC_URL: `${issuer}/`, TOKEN_AUDIENCE: 'files' });
    try {
      const { url } = service;
      const { token } = await service.signUp();
      expect(await accepts(token, { issuer, url, audience: 'files' })).to.equal(true);
      expect(await accepts(token, { issuer: `${issuer}:443/`, url: `${url}/`, audience: 'files' })).to.equal(
        true,
      );
      expect(await accepts(token, { issuer, url })).to.equal(false);
      expect(await accepts(token, { issuer: url, audience: 'files' })).to.equal(false);
    } finally {
      await service.close();
    }
  });

  it('are the first address of the service and the default without PUBLIC_URL, also on a new port', async () => {
    const services: TestService[] = [await open()];
    try {
      const [{ url: issuer, signUp, close }] = services as [TestService];
      const user = await signUp();
      expect(await accepts(user.token, { issuer })).to.equal(true);
      await close();
      const later = await open();
      services.splice(0, 1, later);
      const { url } = later;
      const { body } = await later.post('/api/auth/login', { email: user.email, password: user.password });
      for (const token of [user.token, String(body.token)]) {
        expect(await accepts(token, { issuer, url })).to.equal(true);
        expect(await accepts(token, { issuer: url })).to.equal(url === issuer);
      }
      expect(readFileSync(join(folder(), 'issuer'), 'utf8').trim()).to.equal(issuer);
    } finally {
      await services[0]?.close();
    }
  });
});
