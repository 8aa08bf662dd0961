import { loadFlows } from '../auth/load-on-demand.ts';
import type { ProofRequest } from '../base/api.ts';
import { config } from '../base/config.ts';
import { ProofDialog } from '../base/proof-dialog.tsx';
import { user } from '../base/session.ts';
import { t } from '../text/language.ts';

const providersOf = (methods: readonly string[]) => {
  const identities = user.value?.oauthAccounts ?? [];
  if (!methods.includes('oidc')) return [];
  return config.providers
    .filter(({ id }) => identities.some(({ provider }) => provider === id))
    .map(({ id, name }) => ({
      name: t().account.with(name),
      begin: async () => (await loadFlows()).proveAt(id),
    }));
};

/** Asks for a fresh proof, by any method that the account has. */
export const Ask = (request: ProofRequest) => (
  <ProofDialog
    {...request}
    byPassword={request.needed.methods.includes('password')}
    factor={user.value?.twoFactorEnabled ? 'any' : null}
    others={providersOf(request.needed.methods)}
  />
);
