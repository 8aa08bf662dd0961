import { useEffect } from 'preact/hooks';
import { config } from '../base/config.ts';
import { Heading } from '../base/heading.tsx';
import { user } from '../base/session.ts';
import { Copy, LinkButton } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { link } from '../kit/link.ts';
import { UserText } from '../kit/user-text.tsx';
import { t } from '../text/language.ts';
import { loadUser } from './session.ts';

const curl = (origin: string) =>
  `curl ${origin}/api/auth/register -H 'Content-Type: application/json' -d '{"email":"ada@example.com","password":"correct horse battery"}'`;

const Trial = ({ mails, origin, console }: NonNullable<typeof config.trial>) => {
  const { home } = t().auth;
  return (
    <Card title={home.trial}>
      {mails === null ? null : (
        <p>
          {home.mails} <code>{mails}</code>
        </p>
      )}
      <p class="row">
        <a href="/docs">{home.reference}</a>
        {console === null ? null : <a href={link(console)}>{home.console}</a>}
      </p>
      <div class="stack">
        <p>{home.curl}</p>
        <p class="small">
          <code>{curl(origin)}</code>
        </p>
        <Copy text={curl(origin)} />
      </div>
    </Card>
  );
};

export const Home = () => {
  useEffect(() => void loadUser(), []);
  const { home } = t().auth;
  return (
    <main>
      <div class="stack wide">
        <Heading>{config.product}</Heading>
        {user.value ? (
          <>
            <p>
              {home.greeting('').replace(/[ .]+$/, '')}{' '}
              <UserText text={user.value.displayName ?? user.value.email} />.
            </p>
            <LinkButton to="/account">{home.yours}</LinkButton>
          </>
        ) : (
          <>
            <p>{home.lead(config.product)}</p>
            <div class="row">
              <LinkButton to="/account/sign-in">{home.signIn}</LinkButton>
              <LinkButton to="/account/sign-up" kind="plain">
                {home.signUp}
              </LinkButton>
            </div>
          </>
        )}
        {config.trial === null ? null : <Trial {...config.trial} />}
      </div>
    </main>
  );
};
