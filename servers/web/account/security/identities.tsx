import { loadFlows } from '../../auth/load-on-demand.ts';
import { accounts, outcome } from '../../base/api.ts';
import { config, providerName } from '../../base/config.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Refusal, saveChange, useForm } from '../../kit/form.tsx';
import { UserText } from '../../kit/user-text.tsx';
import { shownDate, t } from '../../text/language.ts';
import type { CardProps, Security } from './card-props.ts';

export const IdentitiesCard = ({ security, reload }: CardProps) => {
  const form = useForm();
  const { identities } = t();
  const connected = security.providers;
  const others = config.providers.filter(({ id }) => connected.every(({ provider }) => provider !== id));
  const disconnect = ({ provider, providerAccountId }: Security['providers'][number]) =>
    form.run(() => {
      const params = { path: { id: provider, providerAccountId } };
      const request = outcome(
        accounts.DELETE('/api/auth/providers/{id}/accounts/{providerAccountId}', { params }),
      );
      // `identity_not_found` counts as success: the identity was removed already.
      return saveChange(request, identities.removed, reload, 'identity_not_found');
    });
  return (
    <Card title={identities.title}>
      <p class="muted">{identities.lead}</p>
      <Refusal state={form} />
      {connected.length === 0 ? null : (
        <ul class="row-list">
          {connected.map((identity) => (
            <li key={`${identity.provider} ${identity.providerAccountId}`}>
              <div>
                <p>
                  <UserText bold text={providerName(identity.provider)} />
                </p>
                <p class="muted small">
                  {identity.email === null ? null : (
                    <>
                      <UserText text={identity.email} />,{' '}
                    </>
                  )}
                  {identities.since(shownDate(identity.createdAt))}
                </p>
              </div>
              <Button
                kind="plain"
                label={`${identities.remove}: ${providerName(identity.provider)}`}
                onPress={() => disconnect(identity)}
              >
                {identities.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {others.length === 0 ? null : (
        <div class="row">
          {others.map(({ id, name }) => (
            <Button
              key={id}
              kind="plain"
              onPress={() => form.run(async () => (await loadFlows()).connect(id))}
            >
              {identities.add(name)}
            </Button>
          ))}
        </div>
      )}
    </Card>
  );
};
