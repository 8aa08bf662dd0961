import type { IdentityProvider, IdentityProviders, ProviderIdentity } from '../../core/index.ts';
import { CoreError } from '../../core/index.ts';

const ISSUER = 'https://id.example';

/** An identity at the provider of these tests, which has verified the email. */
export const providerIdentity = (change: Partial<ProviderIdentity> = {}): ProviderIdentity => ({
  provider: 'example',
  issuer: ISSUER,
  subject: 'subject-1',
  email: 'ada@example.com',
  emailVerified: true,
  name: 'Ada Lovelace',
  picture: 'https://id.example/ada.png',
  authenticatedAt: null,
  ...change,
});

export const provider = (change: Partial<IdentityProvider> = {}): IdentityProvider => ({
  id: 'example',
  name: 'Example ID',
  signUp: true,
  picture: false,
  formPost: false,
  ...change,
});

/** Providers with answers that a test scripts: the `code` of the callback selects the answer. */
export const scriptedProviders = (list: readonly IdentityProvider[] = [provider()]) => {
  const answers = new Map<string, ProviderIdentity | CoreError>();
  let down = false;
  const port: IdentityProviders = {
    list,
    issuerOf: (id) => (list.some((provider) => provider.id === id) ? ISSUER : undefined),
    begin: async (id, { state, proof }) => {
      if (down) throw new CoreError('unavailable', 'provider_unavailable', 'The provider does not answer.');
      const address = `${ISSUER}/authorize?provider=${id}&state=${state}${proof ? '&prompt=login' : ''}`;
      return { address, issuer: ISSUER };
    },
    identify: async (_id, answer) => {
      const code = answer.find(([name]) => name === 'code')?.[1] ?? '';
      const result = answers.get(code) ?? new CoreError('refused', 'access_denied', 'Not allowed.');
      if (result instanceof CoreError) throw result;
      return result;
    },
  };
  return {
    port,
    /** Adds an answer and returns its code. */
    script: (result: ProviderIdentity | CoreError): string => {
      const code = `answer-${answers.size}`;
      answers.set(code, result);
      return code;
    },
    fail: () => {
      down = true;
    },
  };
};
