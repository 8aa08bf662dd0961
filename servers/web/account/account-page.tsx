import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadUser, setback, signOut } from '../auth/arrive-and-sign-out.ts';
import { accounts, outcome, restricted } from '../base/api.ts';
import { AskProof } from '../base/ask-proof.tsx';
import { Heading } from '../base/heading.tsx';
import { go, path } from '../base/router.ts';
import { type User, user, wasSignedOut } from '../base/session.ts';
import { SignOut } from '../base/sign-out.tsx';
import { Card } from '../kit/card.tsx';
import { link } from '../kit/link.ts';
import { lazyPiece } from '../kit/load.tsx';
import { Failed, Notice, Skeleton } from '../kit/messages.tsx';
import { type Problem, wordsOf } from '../kit/problem.ts';
import type { Texts } from '../text/en.ts';
import { t } from '../text/language.ts';

const PLACES = [
  '/account',
  '/account/security',
  '/account/sessions',
  '/account/plan',
  '/account/domain',
] as const;

/** Only one tier has custom domains. */
const placesOf = (user: User) =>
  PLACES.filter(
    (place) => place !== '/account/domain' || user.serviceAccess.some(({ tier }) => tier === 'enterprise'),
  );

/** The deletion is part of the profile. */
const isAt = (place: string) =>
  place === '/account'
    ? ['/account', '/account/delete'].includes(path.value)
    : `${path.value}/`.startsWith(`${place}/`);

/** Scrolls the navigation, which is a row on phones, to the current place and 24 px of what is before it. */
const showInRow = (anchor: HTMLElement | null) => {
  const row = anchor?.closest('ul');
  if (anchor && row) row.scrollLeft = anchor.offsetLeft - row.offsetLeft - 24;
};

const Places = ({ user }: { readonly user: User }) => (
  <nav class="side" aria-label={t().account.nav}>
    <ul>
      {placesOf(user).map((place) => (
        <li key={place}>
          <a
            href={link(place)}
            ref={isAt(place) ? showInRow : null}
            aria-current={isAt(place) ? 'page' : undefined}
          >
            {t().titles[place]}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

/** The page of an account that operators have restricted. Its owner can still delete it. */
const Restricted = ({ code }: { readonly code: keyof Texts['account']['restricted'] }) => (
  <Card>
    <Notice tone="warn">{t().account.restricted[code]}</Notice>
    <div class="row">
      <SignOut signOut={signOut} />
      <a href="/account/delete">{t().titles['/account/delete']}</a>
    </div>
  </Card>
);

/** The problem of the previous step, until another page is shown. */
const Setback = () => {
  useEffect(
    () => () => {
      setback.value = undefined;
    },
    [],
  );
  return setback.value === undefined ? null : <Notice tone="danger">{wordsOf(setback.value)}</Notice>;
};

const loadProof = lazyPiece(() => import('./proof-methods.tsx'));

/** A page of the account. Visitors are redirected to sign-in and back. */
export const AccountPage = ({ children }: { readonly children: ComponentChildren }) => {
  const problem = useSignal<Problem | undefined>(undefined);
  const load = async () => {
    const result = await loadUser();
    problem.value = result.problem;
    // Finds out whether the restriction was lifted: this call is refused while it lasts.
    if (restricted.value !== null && (await outcome(accounts.GET('/api/services'))).data)
      restricted.value = null;
    // If the session ended during work, a dialog over this page leads to the sign-in instead.
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
          {problem.value === undefined ? <Skeleton /> : <Failed problem={problem.value} onRetry={load} />}
        </div>
      </main>
    );
  const restriction = restricted.value;
  if (restriction !== null && path.value !== '/account/delete')
    return (
      <main class="form">
        <div class="stack wide">
          <Heading>{t().account.nav}</Heading>
          <Restricted code={restriction} />
        </div>
      </main>
    );
  return (
    <main class={restriction === null ? 'account' : 'form'}>
      {restriction === null ? <Places user={user.value} /> : null}
      <div class="stack wide">
        <Heading />
        <Setback />
        {children}
      </div>
      <AskProof load={loadProof} />
    </main>
  );
};
