import type { Accounts } from '../../../core/index.ts';
import { ok } from '../../http/response-body.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import { providersResponse } from '../responses/providers.ts';
import { beginUrl, type SignInSite } from './site.ts';

/** The sign-in methods of a sign-in page beside a password. */
export const listRoutes = (accounts: Accounts, site: SignInSite): readonly AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/auth/providers',
    summary: 'The sign-in methods beside a password',
    access: 'open',
    bucket: 'login',
    answers: {
      200: { description: 'The providers, in the order of the settings.', schema: providersResponse },
    },
    run: async () => {
      const listed = accounts.providers.list();
      const providers = listed.map(({ id, name }) => ({ id, name, beginUrl: beginUrl(site, id) }));
      return ok({ providers, passkeys: site.passkeys });
    },
  }),
];
