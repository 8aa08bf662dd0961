import { accounts, outcome } from '../api.ts';
import { config } from '../config.ts';
import { Button } from '../kit/button.tsx';
import { Refusal, useForm } from '../kit/form.tsx';
import { Card, Own } from '../kit/parts.tsx';
import { tell } from '../kit/tell.ts';
import { shownDate, t } from '../text/language.ts';
import { loadTrips } from '../ways.ts';
import type { CardProps, Security } from './card.ts';

type Connected = Security['providers'][number];

const nameOf = (provider: string): string =>
  config.providers.find(({ id }) => id === provider)?.name ?? provider;

/** Accounts elsewhere that somebody signs in with. */
export const IdentitiesCard = ({ security, again }: CardProps) => {
  const form = useForm();
  const { identities } = t();
  const connected = security.providers;
  const others = config.providers.filter(({ id }) => connected.every(({ provider }) => provider !== id));
  const disconnect = ({ provider, providerAccountId }: Connected) =>
    form.run(async () => {
      const params = { path: { id: provider, providerAccountId } };
      const { problem } = await outcome(
        accounts.DELETE('/api/auth/providers/{id}/accounts/{providerAccountId}', { params }),
      );
      if (problem !== undefined && problem.code !== 'identity_not_found') return problem;
      tell(identities.removed);
      await again();
      return undefined;
    });
  return (
    <Card title={identities.title}>
      <p class="muted">{identities.lead}</p>
      <Refusal state={form} />
      {connected.length === 0 ? null : (
        <ul class="row-list">
          {connected.map((one) => (
            <li key={`${one.provider} ${one.providerAccountId}`}>
              <div>
                <p>
                  <b>
                    <Own text={nameOf(one.provider)} />
                  </b>
                </p>
                <p class="muted small">
                  {one.email === null ? null : (
                    <>
                      <Own text={one.email} />,{' '}
                    </>
                  )}
                  {identities.since(shownDate(one.createdAt))}
                </p>
              </div>
              <Button
                kind="plain"
                label={`${identities.remove}: ${nameOf(one.provider)}`}
                onPress={() => disconnect(one)}
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
              onPress={() => form.run(async () => (await loadTrips()).connect(id))}
            >
              {identities.add(name)}
            </Button>
          ))}
        </div>
      )}
    </Card>
  );
};
