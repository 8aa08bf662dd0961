import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Problem, wordsOf } from '../api.ts';
import { Button } from '../kit/button.tsx';
import { link } from '../kit/link.ts';
import { Heading } from '../kit/page.tsx';
import { Notice, Skeleton } from '../kit/parts.tsx';
import { go, path } from '../router.ts';
import { loadUser, restricted, user, wasSignedOut } from '../session.ts';
import { t } from '../text/language.ts';
import { ProofDialog } from './proof.tsx';
import { a, areLoaded, loadTexts } from './texts.ts';

const PLACES = [
  '/account',
  '/account/security',
  '/account/sessions',
  '/account/plan',
  '/account/delete',
] as const;

const Places = () => (
  <nav class="side" aria-label={a().nav}>
    <ul>
      {PLACES.map((place) => (
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

const Failed = ({ problem, again }: { readonly problem: Problem; readonly again: () => void }) => (
  <Notice tone="danger">
    <p>{wordsOf(problem)}</p>
    <Button kind="link" onPress={again}>
      {t().kit.tryAgain}
    </Button>
  </Notice>
);

/** A page of the account: who is not signed in goes to the sign-in and comes back. */
export const AccountPage = ({ children }: { readonly children: () => ComponentChildren }) => {
  const problem = useSignal<Problem | undefined>(undefined);
  const load = async () => {
    const found = await loadUser();
    problem.value = found.problem;
    if (user.value === null && !wasSignedOut.value)
      go(`/account/sign-in?next=${path.value}`, { replace: true });
  };
  useEffect(() => void load(), []);
  useSignalEffect(() => void loadTexts());
  if (!areLoaded() || !user.value)
    return (
      <main>
        {problem.value === undefined ? <Skeleton /> : <Failed problem={problem.value} again={load} />}
      </main>
    );
  const shut = path.value === '/account/delete' ? null : restricted.value;
  return (
    <main class="account">
      <Places />
      <div class="stack wide">
        <Heading />
        {shut === null ? children() : <Notice tone="warn">{a().restricted[shut]}</Notice>}
      </div>
      <ProofDialog />
    </main>
  );
};
