import { expect } from 'chai';
import {
  type IdentityProviderOptions,
  openIdentityProvider,
  type TestIdentityProvider,
} from '../../support/servers/identity-provider.ts';
import { anOpenId, REDIRECT_URI, takeTrip } from './trips.ts';

describe('A provider of OpenID Connect', () => {
  let server: TestIdentityProvider;
  const open = async (options: Partial<IdentityProviderOptions> = {}) => {
    server = await openIdentityProvider({
      redirectUri: REDIRECT_URI,
      claims: {
        email: 'ada@example.com',
        email_verified: true,
        name: 'Ada Lovelace',
        picture: 'https://id.example/ada.png',
      },
      ...options,
    });
    return server;
  };
  afterEach(() => server.close());

  it('says who somebody is', async () => {
    const { issuer } = await open();
    expect(await takeTrip(server, anOpenId({ issuer }))).to.deep.equal({
      provider: 'staff',
      issuer,
      subject: 'subject-1',
      email: 'ada@example.com',
      emailVerified: true,
      name: 'Ada Lovelace',
      picture: 'https://id.example/ada.png',
      authenticatedAt: null,
    });
  });
});
