import { signal, useSignalEffect } from '@preact/signals';
import { render } from 'preact';
import { offline } from './api.ts';
import { Frame } from './frame.tsx';
import { LinkButton } from './kit/button.tsx';
import { Dialog } from './kit/dialog.tsx';
import { Failed, Skeleton } from './kit/parts.tsx';
import { type Area, areas, type Pages } from './paths.ts';
import { beginRouting, go, path } from './router.ts';
import { beginSession, wasSignedOut } from './session.ts';
import { beginLanguage, type Loads, t } from './text/language.ts';

const loads: Readonly<Record<Area, () => Promise<{ readonly pages: Pages }>>> = {
  start: () => import('./start.tsx'),
  settings: () => import('./settings.tsx'),
  security: () => import('./security.tsx'),
  billing: () => import('./billing.tsx'),
  return: () => import('./return.tsx'),
  ends: () => import('./ends.tsx'),
};

const texts: Loads = {
  en: () => import('./text/en.ts'),
  pl: () => import('./text/pl.ts'),
};

const pages = signal<Pages>({});
const isBroken = signal(false);

const areaOf = (at: string): Area | undefined =>
  Object.hasOwn(areas, at) ? areas[at as keyof typeof areas] : undefined;

const load = async (at: string): Promise<void> => {
  const area = areaOf(at);
  if (area === undefined || pages.peek()[at] !== undefined) return;
  isBroken.value = false;
  try {
    const loaded = await loads[area]();
    pages.value = { ...pages.peek(), ...loaded.pages };
  } catch {
    isBroken.value = true;
  }
};

const SignedOut = () => (
  <Dialog
    title={t().kit.signedOut.title}
    onClose={() => {
      wasSignedOut.value = false;
      go('/');
    }}
  >
    <p>{t().kit.signedOut.text}</p>
    <LinkButton to={`/account/sign-in?next=${encodeURIComponent(path.value)}`}>
      {t().kit.signedOut.act}
    </LinkButton>
  </Dialog>
);

const App = () => {
  useSignalEffect(() => void load(path.value));
  const Page = pages.value[path.value];
  return (
    <Frame>
      {Page === undefined ? (
        <main class="form">
          {isBroken.value ? <Failed problem={offline} again={() => load(path.value)} /> : <Skeleton />}
        </main>
      ) : (
        <Page key={path.value} />
      )}
      {wasSignedOut.value && path.value !== '/account/sign-in' ? <SignedOut /> : null}
    </Frame>
  );
};

const begin = async () => {
  beginSession();
  beginRouting((at) => areaOf(at) !== undefined);
  await Promise.all([beginLanguage(texts), load(path.value)]);
  const root = document.getElementById('app');
  if (root === null) return;
  root.replaceChildren();
  delete document.documentElement.dataset.waits;
  render(<App />, root);
};

void begin();
