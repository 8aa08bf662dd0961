import type { Accounts } from '../../../core/index.ts';
import { flag, list, object, text } from '../../../core/schema.ts';
import { ok } from '../../http/response-body.ts';
import { type AnyRoute, route } from '../../http/route.ts';
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
export const listRoutes = (accounts: Accounts, site: SignInSite): readonly AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/auth/providers',
    summary: 'The sign-in methods beside a password',
    access: 'open',
    bucket: 'login',
    answers: {
      200: { description: 'The providers, in the order of the settings.', schema: providersAnswer },
    },
    run: async () => {
      const listed = accounts.providers.list();
      const providers = listed.map(({ id, name }) => ({ id, name, beginUrl: beginUrl(site, id) }));
      return ok({ providers, passkeys: site.passkeys });
    },
  }),
];
