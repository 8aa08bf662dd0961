import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { config } from '../base/config.ts';
import { FormPage } from '../base/form-page.tsx';
import { go } from '../base/router.ts';
import { Copy, LinkButton } from '../kit/button.tsx';
import { link } from '../kit/link.ts';
import { Skeleton } from '../kit/messages.tsx';
import { t } from '../text/language.ts';
import { loadUser, mayHaveSession } from './arrive-and-sign-out.ts';

const curlCommand = (origin: string) =>
  `curl ${origin}/api/auth/register -H 'Content-Type: application/json' -d '{"email":"ada@example.com","password":"correct horse battery"}'`;

const Trial = ({ mails, origin, console }: NonNullable<typeof config.trial>) => {
  const { home } = t().auth;
  return (
    <section class="parted stack small">
      <h2>{home.trial}</h2>
      {mails === null ? null : (
        <p>
          {home.mails} <code>{mails}</code>
        </p>
      )}
      <p class="row">
        <a href="/docs">{home.reference}</a>
        {console === null ? null : <a href={link(console)}>{home.console}</a>}
      </p>
      <p>{home.curl}</p>
      <p>
        <code>{curlCommand(origin)}</code>
      </p>
      <Copy text={curlCommand(origin)} />
    </section>
  );
};

/** The start page of visitors. Users who are signed in go on to their account. */
export const Home = () => {
  const isLoading = useSignal(mayHaveSession());
  useEffect(() => {
    const load = async () => {
      if ((await loadUser()).data) go('/account', { replace: true });
      else isLoading.value = false;
    };
    void load();
  }, []);
  const { auth, signIn } = t();
  return (
    <FormPage title={config.product}>
      {isLoading.value ? (
        <Skeleton />
      ) : (
        <>
          <p>{auth.home.lead}</p>
          <div class="methods">
            <LinkButton to="/account/sign-in" fullWidth>
              {signIn.button}
            </LinkButton>
            <LinkButton to="/account/sign-up" kind="plain" fullWidth>
              {auth.signUp.button}
            </LinkButton>
          </div>
          {config.trial === null ? null : <Trial {...config.trial} />}
        </>
      )}
    </FormPage>
  );
};
