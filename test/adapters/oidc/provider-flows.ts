import { randomBytes } from 'node:crypto';
import { openIdentityProviders } from '../../../adapters/oidc/identity-providers.ts';
import type { BaseUrls, OpenIdSettings, ProviderSettings } from '../../../adapters/oidc/provider-settings.ts';
import type {
  AuthorizationRequest,
  CallbackParams,
  ProviderIdentity,
} from '../../../core/accounts/providers/identity-provider.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import type { TestIdentityProvider } from '../../support/servers/identity-provider.ts';

export const CLIENT = { id: 'client-1', secret: 'a secret: of 50% & more +/=*~' };

export const REDIRECT_URI = 'https://accounts.example.com/api/auth/providers/staff/callback';

/** The settings shared by all providers of these suites. */
export const COMMON: Omit<OpenIdSettings, 'preset' | 'issuer'> = {
  ...{ id: 'staff', name: 'Staff', clientId: CLIENT.id, clientSecret: CLIENT.secret, auth: null },
  ...{ scopes: 'openid email profile', email: 'claim', signUp: true, picture: false },
};

export const openIdOf = (change: Partial<OpenIdSettings>): OpenIdSettings => ({
  ...COMMON,
  preset: null,
  issuer: 'https://id.example',
  ...change,
});

/** Opens the adapter with one provider, and with a clock that is `ahead` seconds fast. */
export const openIdp = (
  settings: ProviderSettings,
  { ahead = 0, baseUrls }: { readonly ahead?: number; readonly baseUrls?: BaseUrls } = {},
) => {
  const log = makeRecordingLog();
  const clock = { now: () => Date.now() + ahead * 1_000 };
  const redirectUri = () => REDIRECT_URI;
  const port = openIdentityProviders([settings], { clock, log, redirectUri, ...(baseUrls && { baseUrls }) });

  const begin = async (
    proof = false,
  ): Promise<{ readonly address: string; readonly flow: AuthorizationRequest }> => {
    const [state = '', nonce = '', verifier = ''] = [1, 2, 3].map(() =>
      randomBytes(32).toString('base64url'),
    );
    const at = clock.now();
    const { address, issuer } = await port.begin(settings.id, { state, nonce, verifier, proof });
    return { address, flow: { state, nonce, verifier, issuer, at, proof } };
  };
  return {
    ...{ port, log, begin },
    identify: (answer: CallbackParams, flow: AuthorizationRequest) =>
      port.identify(settings.id, answer, flow),
    reasons: () =>
      log.lines.filter(({ event }) => event === 'oidc.answer_refused').map(({ fields }) => fields.reason),
  };
};

export type IdpClient = ReturnType<typeof openIdp>;

/** Completes a flow: the authorization request, the provider's pages and the callback. */
export const runFlow = async (
  server: Pick<TestIdentityProvider, 'visit'>,
  client: IdpClient | ProviderSettings,
  change: {
    answer?: (answer: CallbackParams) => CallbackParams;
    flow?: Partial<AuthorizationRequest>;
  } = {},
): Promise<ProviderIdentity> => {
  const adapter = 'port' in client ? client : openIdp(client);
  const { address, flow } = await adapter.begin();
  const answer = await server.visit(address);
  return adapter.identify(change.answer?.(answer) ?? answer, { ...flow, ...change.flow });
};
