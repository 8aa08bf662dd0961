import type { IdentityProviders } from '../../core/accounts/providers/identity-provider.ts';

type ProviderCalls = Pick<IdentityProviders, 'begin' | 'identify'>;

/** Runs the calls about each provider on the object that `watch` makes for it. Ids that a request invents are not watched. */
export const eachProvider = (
  providers: IdentityProviders,
  watch: (id: string) => ProviderCalls,
): IdentityProviders => {
  const watched = new Map<string, ProviderCalls>();
  const callsOf = (id: string): ProviderCalls => {
    if (!providers.list.some((provider) => provider.id === id)) return providers;
    const calls = watched.get(id) ?? watch(id);
    watched.set(id, calls);
    return calls;
  };
  return {
    get list() {
      return providers.list;
    },
    issuerOf: (id, subject) => providers.issuerOf(id, subject),
    begin: async (id, secrets) => callsOf(id).begin(id, secrets),
    identify: async (id, params, request) => callsOf(id).identify(id, params, request),
  };
};
