import type { IdentityProviders } from '../../core/accounts/ways-in/provider.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { apple } from './apple.ts';
import { makeGitHubProvider } from './github.ts';
import { microsoft } from './microsoft.ts';
import { unknownProvider } from './no-providers.ts';
import { makeOpenIdProvider, type OneProvider } from './openid.ts';
import { plainOpenId } from './plain-openid.ts';
import { tellRefusals } from './refusal.ts';
import { makeRequests, type Requests, withinOneCall } from './requests.ts';
import { PLACES, type Places, type ProviderSettings } from './settings.ts';

export interface OpenedProviders extends IdentityProviders {
  /** By id: false while it is down, as far as the calls of this process tell. It costs no call. */
  readonly areUp: ReadonlyMap<string, () => boolean>;
  close(): void;
}

interface Given {
  readonly clock: Clock;
  readonly log: Log;
  /** The address to which the provider sends people back. */
  readonly redirectUri: (id: string) => string;
  readonly places?: Places;
}

const dialectOf = (
  settings: Exclude<ProviderSettings, { readonly preset: 'github' }>,
  { clock, places = PLACES }: Given,
) => {
  switch (settings.preset) {
    case 'google':
      return plainOpenId(settings, places.google);
    case 'microsoft':
      return microsoft(settings, places.microsoft);
    case 'apple':
      return apple(settings, places.apple, clock);
    default:
      return plainOpenId(settings, settings.issuer);
  }
};

const open = (settings: ProviderSettings, requests: Requests, given: Given): OneProvider => {
  const redirectUri = () => given.redirectUri(settings.id);
  return settings.preset === 'github'
    ? makeGitHubProvider(settings, { requests, redirectUri })
    : makeOpenIdProvider(settings, dialectOf(settings, given), {
        requests,
        clock: given.clock,
        redirectUri,
      });
};

/** The providers that the settings name. None is asked before somebody goes there, and no answer is kept. */
export const openIdentityProviders = (all: readonly ProviderSettings[], given: Given): OpenedProviders => {
  const opened = new Map(
    all.map((settings) => {
      const requests = makeRequests({ id: settings.id, log: given.log });
      return [settings.id, { requests, provider: open(settings, requests, given) }] as const;
    }),
  );

  const at = <T>(id: string, call: (provider: OneProvider) => Promise<T>): Promise<T> => {
    const found = opened.get(id);
    if (found === undefined) throw unknownProvider();
    return tellRefusals(id, given.log, () => withinOneCall(call(found.provider)));
  };

  return {
    list: all.map(({ id, name, signUp, picture, preset }) => ({
      ...{ id, name, signUp, picture },
      formPost: preset === 'apple',
    })),
    issuerOf: (id, subject) => opened.get(id)?.provider.issuerOf(subject),
    begin: async (id, trip) => at(id, (provider) => provider.begin(trip)),
    identify: async (id, answer, trip) => at(id, (provider) => provider.identify(answer, trip)),
    areUp: new Map([...opened].map(([id, { requests }]) => [id, requests.isUp])),
    close: () => {
      for (const { requests } of opened.values()) requests.close();
    },
  };
};
