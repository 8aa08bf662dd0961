import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Problem, wordsOf } from '../api.ts';
import { Button } from '../kit/button.tsx';
import { link } from '../kit/link.ts';
import { Heading } from '../kit/page.tsx';
import { Card, Failed, Notice, Skeleton } from '../kit/parts.tsx';
import { go, path } from '../router.ts';
import { loadUser, restricted, setback, signOut, type User, user, wasSignedOut } from '../session.ts';
import type { Texts } from '../text/en.ts';
import { t } from '../text/language.ts';
import { ProofDialog } from './proof.tsx';

const PLACES = [
  '/account',
  '/account/security',
  '/account/sessions',
  '/account/plan',
  '/account/domain',
  '/account/delete',
] as const;

/** A domain of one's own is for one tier alone. */
const placesOf = (known: User) =>
  PLACES.filter(
    (place) => place !== '/account/domain' || known.serviceAccess.some(({ tier }) => tier === 'enterprise'),
  );

const Places = ({ known }: { readonly known: User }) => (
  <nav class="side" aria-label={t().account.nav}>
    <ul>
      {placesOf(known).map((place) => (
        <li key={place}>
          <a
            href={link(place)}
            aria-current={
              path.value === place || (place.length > 8 && path.value.startsWith(`${place}/`))
                ? 'page'
                : undefined
            }
          >
            {t().titles[place]}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

/** All that is left of an account that operators have shut. */
const Shut = ({ code }: { readonly code: keyof Texts['account']['restricted'] }) => (
  <Card>
    <Notice tone="warn">{t().account.restricted[code]}</Notice>
    <div class="row">
      <Button kind="plain" onPress={() => signOut()}>
        {t().kit.signOut}
      </Button>
      <a href="/account/delete">{t().titles['/account/delete']}</a>
    </div>
  </Card>
);

/** What went wrong on the way here, until another page is shown. */
const Setback = () => {
  useEffect(
    () => () => {
      setback.value = undefined;
    },
    [],
  );
  return setback.value === undefined ? null : <Notice tone="danger">{wordsOf(setback.value)}</Notice>;
};

/** A page of the account: who is not signed in goes to the sign-in and comes back. */
export const AccountPage = ({
  children,
  tall = false,
}: {
  readonly children: () => ComponentChildren;
  readonly tall?: boolean;
}) => {
  const problem = useSignal<Problem | undefined>(undefined);
  const load = async () => {
    const found = await loadUser();
    problem.value = found.problem;
    if (user.value === null && !wasSignedOut.value)
      go(`/account/sign-in?next=${path.value}`, { replace: true });
  };
  useEffect(() => void load(), []);
  if (!user.value)
    return (
      <main class="account">
        <div class="side" />
        <div class="stack wide">
          <Heading />
          {problem.value === undefined ? (
            <Skeleton tall={tall} />
          ) : (
            <Failed problem={problem.value} again={load} />
          )}
        </div>
      </main>
    );
  const shut = restricted.value;
  if (shut !== null && path.value !== '/account/delete')
    return (
      <main class="form">
        <div class="stack wide">
          <Heading>{t().account.nav}</Heading>
          <Shut code={shut} />
        </div>
      </main>
    );
  return (
    <main class={shut === null ? 'account' : 'form'}>
      {shut === null ? <Places known={user.value} /> : null}
      <div class="stack wide">
        <Heading />
        <Setback />
        {children()}
      </div>
      <ProofDialog />
    </main>
  );
};
