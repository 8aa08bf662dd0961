import '../base/styles.ts';
import '../styles/console.css';
import '../styles/charts.css';
import { effect, signal, useSignalEffect } from '@preact/signals';
import { type AreaPages, hasFailed, loadArea, pageAt } from '../base/load-area.ts';
import { beginRouting, path } from '../base/router.ts';
import { wasSignedOut } from '../base/session.ts';
import { start } from '../base/start.tsx';
import { Failed, Skeleton } from '../kit/messages.tsx';
import { offline } from '../kit/problem.ts';
import { addTexts, source } from '../text/language.ts';
import { HeaderAndFooter } from './header-and-footer.tsx';
import { type Area, areas, placeOf, textsOf } from './paths.ts';
import { askToSignIn, loadSelf, self, watchSessionEnd } from './session.ts';
import { texts } from './text.ts';

const pages: Readonly<Record<Area, AreaPages['pages']>> = {
  'sign-in': () => import('./sign-in.tsx'),
  overview: () => import('./overview.tsx'),
  users: () => import('./users.tsx'),
  user: () => import('./user.tsx'),
  audit: () => import('./audit.tsx'),
  logs: () => import('./logs.tsx'),
  installation: () => import('./installation.tsx'),
  statistics: () => import('./statistics.tsx'),
};

const commonTexts = source({ en: () => import('./text/en.ts'), pl: () => import('./text/pl.ts') });

const load = async (at: string): Promise<void> => {
  const place = placeOf(at);
  if (place === undefined) return;
  const area = areas[place];
  await loadArea({ pages: pages[area], texts: textsOf[area].map((name) => texts[name]) }, place);
};

/** Whether reading the session failed, so that nobody is known to be signed in or out. */
const isSessionUnknown = signal(false);

const App = () => {
  useSignalEffect(() => void load(path.value));
  const place = placeOf(path.value) ?? '';
  const Page = pageAt(place);
  // A page whose session has ended stays under the dialog that says so.
  const mayShow = place === '/sign-in' || self.value || wasSignedOut.value;
  return (
    <HeaderAndFooter>
      {Page !== undefined && mayShow ? (
        <Page key={path.value} />
      ) : (
        <main class="console">
          {hasFailed(place) || isSessionUnknown.value ? (
            <Failed problem={offline} onRetry={async () => location.reload()} />
          ) : (
            <Skeleton />
          )}
        </main>
      )}
    </HeaderAndFooter>
  );
};

const begin = async () => {
  watchSessionEnd();
  beginRouting((at) => placeOf(at) !== undefined);
  // Before the first focus: the lists of the console replace the link or button that is pressed.
  const keepFocus = import('../base/keep-focus.ts');
  const [result] = await Promise.all([loadSelf(), addTexts([commonTexts]), load(path.value), keepFocus]);
  isSessionUnknown.value = self.value === undefined && result.problem !== undefined;
  // Without a session only the sign-in page is shown; if the session ends during work, a dialog says so first.
  effect(() => {
    if (self.value === null && !wasSignedOut.value) askToSignIn();
  });
  start(App);
};

void begin();
