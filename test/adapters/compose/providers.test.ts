import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { compose } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import type { Caller } from '../../../core/index.ts';
import { freePort } from '../../support/free-port.ts';
import { openIdentityProvider } from '../../support/servers/identity-provider.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const REDIRECT = 'https://app.example.com/signed-in';
const CLIENT = { id: 'accounts', secret: 'the-secret+of=the&client' };
const caller: Caller = {
  address: '192.0.2.1',
  client: '192.0.2.1',
  userAgent: null,
  requestId: null,
  languages: null,
};
const verifier = 'v'.repeat(43);
const authorizationInput = {
  ...{ redirectUri: REDIRECT, challengeMethod: 'S256', state: 's'.repeat(16) },
  challenge: createHash('sha256').update(verifier).digest('base64url'),
};

describe('A product with an identity provider', () => {
  const folder = useTempFolder();
  const open = (issuer: string) => {
    const settings = {
      ...{
        LOG_LEVEL: 'silent',
        SCRYPT: 'ln=1,r=1,p=1',
        OIDC_PROVIDERS: 'staff',
        SIGN_IN_REDIRECTS: REDIRECT,
      },
      ...{
        OIDC_STAFF_ISSUER: issuer,
        OIDC_STAFF_CLIENT_ID: CLIENT.id,
        OIDC_STAFF_CLIENT_SECRET: CLIENT.secret,
      },
    };
    return compose(readConfig(settings, folder()));
  };

  it('signs in a user of the provider', async () => {
    const redirectUri = 'http://127.0.0.1:3000/api/auth/providers/staff/callback';
    const claims = { email: 'ada@example.com', email_verified: true };
    const server = await openIdentityProvider({ client: CLIENT, redirectUri, claims });
    const product = await open(server.issuer);
    try {
      const { list, begin, answer, exchange } = product.accounts.providers;
      expect(list().map(({ id, name }) => [id, name])).to.deep.equal([['staff', 'staff']]);
      const { location, cookie } = await begin('staff', authorizationInput);
      const parameters = await server.visit(location);
      const redirect = await answer('staff', { parameters, ...(cookie && { cookie: cookie.value }) }, caller);
      const code = new URL(redirect.location).searchParams.get('code') ?? '';
      expect(await exchange({ code, verifier }, caller)).to.have.nested.property(
        'user.email',
        'ada@example.com',
      );
    } finally {
      await product.close();
      await server.close();
    }
  });

  it('starts while the provider is down, returns sign-ins with an error and reports it as down', async () => {
    const product = await open(`http://127.0.0.1:${await freePort()}`);
    const check = product.checks.find(({ name }) => name === 'oidc:staff');
    try {
      expect(check).to.include({ needed: false });
      expect(await check?.check()).to.equal(true);
      for (const _ of [1, 2, 3]) {
        const { location } = await product.accounts.providers.begin('staff', authorizationInput);
        expect(new URL(location).searchParams.get('error')).to.equal('provider_unavailable');
      }
      expect(await check?.check()).to.equal(false);
    } finally {
      await product.close();
    }
  });
});
