import type { IdentityProviders } from '../../core/accounts/ways-in/provider.ts';

type CallsAbout = Pick<IdentityProviders, 'begin' | 'identify'>;

/** The same providers, with the calls about each one run on what `watch` makes for it. An unknown id is not watched. */
export const eachProvider = (
  providers: IdentityProviders,
  watch: (id: string) => CallsAbout,
): IdentityProviders => {
  const watched = new Map<string, CallsAbout>();
  const about = (id: string): CallsAbout => {
    if (!providers.list.some((one) => one.id === id)) return providers;
    const calls = watched.get(id) ?? watch(id);
    watched.set(id, calls);
    return calls;
  };
  return {
    get list() {
      return providers.list;
    },
    issuerOf: (id, subject) => providers.issuerOf(id, subject),
    begin: async (id, trip) => about(id).begin(id, trip),
    identify: async (id, answer, trip) => about(id).identify(id, answer, trip),
  };
};
