import { effect, signal, useSignalEffect } from '@preact/signals';
import { render } from 'preact';
import { Button } from '../kit/button.tsx';
import { Notice, Skeleton } from '../kit/parts.tsx';
import { beginRouting, path } from '../router.ts';
import { beginLanguage, type Loads, words } from '../text/language.ts';
import { Frame } from './frame.tsx';
import { type Area, areas, type Pages, placeOf } from './paths.ts';
import { askToSignIn, beginSession, isOver, loadSelf, self } from './session.ts';

const loads: Readonly<Record<Area, () => Promise<{ readonly pages: Pages }>>> = {
  'sign-in': () => import('./sign-in.tsx'),
  overview: () => import('./overview.tsx'),
  users: () => import('./users.tsx'),
  user: () => import('./user.tsx'),
  logs: () => import('./logs.tsx'),
  statistics: () => import('./statistics.tsx'),
};

const texts: Loads = {
  en: () => import('./text/en.ts'),
  pl: () => import('./text/pl.ts'),
};

const pages = signal<Pages>({});
const isBroken = signal(false);

const load = async (at: string): Promise<void> => {
  const place = placeOf(at);
  if (place === undefined || pages.peek()[place] !== undefined) return;
  isBroken.value = false;
  try {
    const loaded = await loads[areas[place]]();
    pages.value = { ...pages.peek(), ...loaded.pages };
  } catch {
    isBroken.value = true;
  }
};

const Failed = () => (
  <Notice tone="danger">
    <p>{words().problems.offline}</p>
    <Button kind="link" onPress={() => location.reload()}>
      {words().kit.tryAgain}
    </Button>
  </Notice>
);

const App = () => {
  useSignalEffect(() => void load(path.value));
  const Page = pages.value[placeOf(path.value) ?? ''];
  const mayShow = path.value === '/sign-in' || self.value || isOver.value;
  return (
    <Frame>
      {Page === undefined || !mayShow ? (
        <main class="console">{isBroken.value ? <Failed /> : <Skeleton />}</main>
      ) : (
        <Page key={path.value} />
      )}
    </Frame>
  );
};

const begin = async () => {
  beginSession();
  beginRouting((at) => placeOf(at) !== undefined);
  const [found] = await Promise.all([loadSelf(), beginLanguage(texts), load(path.value)]);
  // Without a session there is only the sign-in; if it ends at work, a dialog says so first.
  if (self.value === undefined) isBroken.value = found.problem !== undefined;
  effect(() => {
    if (self.value === null && !isOver.value) askToSignIn();
  });
  const root = document.getElementById('app');
  if (root === null) return;
  root.replaceChildren();
  delete document.documentElement.dataset.waits;
  render(<App />, root);
};

void begin();
