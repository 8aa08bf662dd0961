import type { Accounts } from '../../../core/index.ts';
import { type AnyRoute, tagged } from '../../http/route.ts';
import { flowRoutes } from './begin-and-callback.ts';
import { exchangeRoutes } from './exchange.ts';
import { identityRoutes } from './identities.ts';
import { listRoutes } from './list.ts';
import type { SignInSite } from './site.ts';

/** All endpoints of sign-in with providers. Routes that the settings switch off are left out. */
export const providerRoutes = (accounts: Accounts, site: SignInSite): readonly AnyRoute[] => {
  const providers = accounts.providers.list();
  if (providers.length === 0 && !site.passkeys) return [];
  const isForm = ({ method, path }: AnyRoute) => method === 'POST' && path.endsWith('/callback');
  const flows = flowRoutes(accounts, site).filter(
    (route) => !isForm(route) || providers.some(({ formPost }) => formPost),
  );
  const others = [...flows, ...exchangeRoutes(accounts), ...identityRoutes(accounts, site)];
  return tagged('Sign-in with providers', [
    ...listRoutes(accounts, site),
    ...(providers.length === 0 ? [] : others),
  ]);
};
