import { openIdentityProviders } from '../../../adapters/oidc/identity-providers.ts';
import type { GitHubSettings } from '../../../adapters/oidc/provider-settings.ts';
import { identityProvidersContract } from '../../contracts/identity-providers.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { providerIdentity, scriptedProviders } from '../../support/scripted-providers.ts';
import { openIdentityProvider } from '../../support/servers/identity-provider.ts';
import { openStrictGitHub } from '../../support/servers/strict-github.ts';
import { CLIENT, COMMON, openIdOf, REDIRECT_URI } from './provider-flows.ts';

const deps = () => ({ clock: { now: Date.now }, log: makeRecordingLog(), redirectUri: () => REDIRECT_URI });

identityProvidersContract('OpenID Connect', async () => {
  const claims = { email: 'ada@example.com', email_verified: true };
  const server = await openIdentityProvider({ client: CLIENT, redirectUri: REDIRECT_URI, claims });
  const port = openIdentityProviders([openIdOf({ issuer: server.issuer })], deps());
  return { port, agree: server.visit, close: () => server.close() };
});

identityProvidersContract('GitHub', async () => {
  const github = await openStrictGitHub(REDIRECT_URI);
  const { id: clientId, secret: clientSecret } = github.client;
  const settings: GitHubSettings = {
    ...COMMON,
    preset: 'github',
    scopes: 'read:user user:email',
    ...{ clientId, clientSecret },
    ...{ auth: 'post', url: github.url, apiUrl: `${github.url}/api/v3` },
  };
  const agree = async (address: string) => [...new URL(github.visit(address)).searchParams];
  return { port: openIdentityProviders([settings], deps()), agree, close: () => github.close() };
});

// The double of the core and HTTP suites must keep the contract of a real provider.
identityProvidersContract('The provider double of other suites', async () => {
  const { port, script } = scriptedProviders();
  const agree = async (address: string) => [
    ['state', new URL(address).searchParams.get('state') ?? ''] as const,
    ['code', script(providerIdentity())] as const,
  ];
  return { port, agree, close: async () => undefined };
});
