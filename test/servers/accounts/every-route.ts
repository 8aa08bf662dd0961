import type { OwnParts } from '../../../adapters/compose.ts';
import { providerRoutes } from '../../../servers/accounts/providers/routes.ts';
import { accountRoutes } from '../../../servers/accounts/routes.ts';
import { sessionTokenRoutes } from '../../../servers/accounts/sessions.ts';
import type { AnyRoute } from '../../../servers/http/route.ts';
import { provider, scriptedProviders } from '../../support/scripted-providers.ts';
import type { TestService } from '../../support/service.ts';
import { PASSKEYS_ON } from './passkeys/passkey-calls.ts';

/** Settings and adapters of a service with all sign-in methods: providers, passkeys and cookies. */
export const allSignInMethods = (): { settings: Readonly<Record<string, string>>; own: OwnParts } => ({
  settings: {
    ...PASSKEYS_ON,
    COOKIE_SESSIONS: 'on',
    SIGN_IN_REDIRECTS: 'https://app.example/signed-in',
  },
  own: { providers: scriptedProviders([provider(), provider({ id: 'by-form', formPost: true })]).port },
});

/** Every route of its account service except those of billing, health and the API reference. */
export const everyRoute = ({ composition: { accounts }, url }: TestService): readonly AnyRoute[] => [
  ...accountRoutes(accounts),
  ...providerRoutes(accounts, { origin: () => url, https: false, passkeys: true }),
  ...sessionTokenRoutes(accounts),
];
