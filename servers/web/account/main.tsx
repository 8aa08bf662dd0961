import '../base/styles.ts';
import { useSignalEffect } from '@preact/signals';
import { watchSessionEnd } from '../auth/arrive-and-sign-out.ts';
import { type AreaPages, hasFailed, loadArea, pageAt } from '../base/load-area.ts';
import { beginRouting, go, path, query, withParameters } from '../base/router.ts';
import { wasSignedOut } from '../base/session.ts';
import { SignedOut } from '../base/signed-out.tsx';
import { start } from '../base/start.tsx';
import { Failed, Skeleton } from '../kit/messages.tsx';
import { offline } from '../kit/problem.ts';
import { addTexts, type Source, source } from '../text/language.ts';
import { HeaderAndFooter } from './header-and-footer.tsx';
import { type Area, areas, type TextName, textsOf } from './paths.ts';

const pages: Readonly<Record<Area, AreaPages['pages']>> = {
  auth: () => import('./areas/auth.tsx'),
  account: () => import('./areas/account.tsx'),
  security: () => import('./areas/security.tsx'),
  setup: () => import('./areas/setup.tsx'),
  billing: () => import('./areas/billing.tsx'),
  return: () => import('./areas/return.tsx'),
  landing: () => import('./areas/landing.tsx'),
};

const commonTexts = source({ en: () => import('../text/en.ts'), pl: () => import('../text/pl.ts') });

const texts: Readonly<Record<TextName, Source>> = {
  auth: source({ en: () => import('../text/en/auth.ts'), pl: () => import('../text/pl/auth.ts') }),
  settings: source({
    en: () => import('../text/en/settings.ts'),
    pl: () => import('../text/pl/settings.ts'),
  }),
  security: source({
    en: () => import('../text/en/security.ts'),
    pl: () => import('../text/pl/security.ts'),
  }),
  landing: source({ en: () => import('../text/en/landing.ts'), pl: () => import('../text/pl/landing.ts') }),
};

const areaOf = (at: string): Area | undefined =>
  Object.hasOwn(areas, at) ? areas[at as keyof typeof areas] : undefined;

const load = async (at: string): Promise<void> => {
  const area = areaOf(at);
  if (area === undefined) return;
  await loadArea({ pages: pages[area], texts: textsOf[area].map((name) => texts[name]) }, at);
};

const SIGN_IN = '/account/sign-in';

const closeSignedOut = () => {
  wasSignedOut.value = false;
  go('/');
};

const App = () => {
  useSignalEffect(() => {
    // The dialog about the end of the session leads to the sign-in page: no later page may show the dialog again.
    if (path.value === SIGN_IN) wasSignedOut.value = false;
    void load(path.value);
  });
  const Page = pageAt(path.value);
  return (
    <HeaderAndFooter>
      {Page === undefined ? (
        <main class="form">
          {hasFailed(path.value) ? (
            // Loads the whole page: a new version of the server may have replaced the files that this one names.
            <Failed problem={offline} onRetry={async () => location.reload()} />
          ) : (
            <Skeleton />
          )}
        </main>
      ) : (
        <Page key={path.value} />
      )}
      {wasSignedOut.value ? (
        <SignedOut
          // The authorization request of an app has `return_to`. Its parameters are kept, so that it goes on after the sign-in.
          to={query().has('return_to') ? withParameters(SIGN_IN) : `${SIGN_IN}?next=${path.value}`}
          onClose={closeSignedOut}
        />
      ) : null}
    </HeaderAndFooter>
  );
};

const begin = async () => {
  watchSessionEnd();
  beginRouting((at) => areaOf(at) !== undefined);
  await Promise.all([addTexts([commonTexts]), load(path.value)]);
  start(App);
  // Loaded on demand: a page that is only read needs no request for it.
  addEventListener('focusin', () => void import('../base/keep-focus.ts'), { once: true });
};

void begin();
