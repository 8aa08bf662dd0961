import type { Accounts } from '../../../core/index.ts';
import { flag, list, object, text } from '../../../core/schema.ts';
import { ok } from '../../http/response-body.ts';
import { type AnyRoute, openRoute, tagged } from '../../http/route.ts';
import { flowRoutes } from './begin-and-callback.ts';
import { exchangeRoutes } from './exchange.ts';
import { identityRoutes } from './identities.ts';
import { beginUrl, type SignInSite } from './site.ts';

const providersAnswer = object({
  providers: list(
    object(
      {
        id: text({ examples: ['google'] }),
        name: text({ description: 'For the button', examples: ['Google'] }),
        beginUrl: text({
          format: 'uri',
          description: 'Where the browser goes, with a query',
          examples: ['https://accounts.example.com/api/auth/providers/google/begin'],
        }),
      },
      { title: 'Provider' },
    ),
    { maxItems: 10 },
  ),
  passkeys: flag({ description: 'Whether passkeys are on', examples: [false] }),
});

/** The sign-in methods of a sign-in page beside a password. */
const listRoute = (accounts: Accounts, site: SignInSite): AnyRoute =>
  openRoute({
    method: 'GET',
    path: '/api/auth/providers',
    summary: 'The sign-in methods beside a password',
    bucket: 'login',
    answers: {
      200: { description: 'The providers, in the order of the settings.', schema: providersAnswer },
    },
    run: async () => {
      const listed = accounts.providers.list();
      const providers = listed.map(({ id, name }) => ({ id, name, beginUrl: beginUrl(site, id) }));
      return ok({ providers, passkeys: site.passkeys });
    },
  });

/** All endpoints of sign-in with providers. Routes that the settings turn off are left out. */
export const providerRoutes = (accounts: Accounts, site: SignInSite): readonly AnyRoute[] => {
  const providers = accounts.providers.list();
  if (providers.length === 0 && !site.passkeys) return [];
  const isFormCallback = ({ method, path }: AnyRoute) => method === 'POST' && path.endsWith('/callback');
  const flows = flowRoutes(accounts, site).filter(
    (route) => !isFormCallback(route) || providers.some(({ formPost }) => formPost),
  );
  const others = [...flows, ...exchangeRoutes(accounts), ...identityRoutes(accounts, site)];
  return tagged('Sign-in with providers', [
    listRoute(accounts, site),
    ...(providers.length === 0 ? [] : others),
  ]);
};
