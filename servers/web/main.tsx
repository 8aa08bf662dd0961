import { useSignalEffect } from '@preact/signals';
import { render } from 'preact';
import { offline } from './api.ts';
import { Frame } from './frame.tsx';
import { LinkButton } from './kit/button.tsx';
import { Dialog } from './kit/dialog.tsx';
import { Failed, Skeleton } from './kit/parts.tsx';
import { isBroken, loadPart, type Part, pageAt } from './parts.ts';
import { type Area, areas, type TextName, textsOf } from './paths.ts';
import { beginRouting, go, path } from './router.ts';
import { beginSession, wasSignedOut } from './session.ts';
import { addTexts, type Source, source, t } from './text/language.ts';

const pages: Readonly<Record<Area, Part['pages']>> = {
  auth: () => import('./auth.tsx'),
  account: () => import('./account.tsx'),
  security: () => import('./security.tsx'),
  billing: () => import('./billing.tsx'),
  return: () => import('./return.tsx'),
  landing: () => import('./landing.tsx'),
};

const forAll = source(
  () => import('./text/en.ts'),
  () => import('./text/pl.ts'),
);

const texts: Readonly<Record<TextName, Source>> = {
  auth: source(
    () => import('./text/en/auth.ts'),
    () => import('./text/pl/auth.ts'),
  ),
  settings: source(
    () => import('./text/en/settings.ts'),
    () => import('./text/pl/settings.ts'),
  ),
  security: source(
    () => import('./text/en/security.ts'),
    () => import('./text/pl/security.ts'),
  ),
  landing: source(
    () => import('./text/en/landing.ts'),
    () => import('./text/pl/landing.ts'),
  ),
};

const areaOf = (at: string): Area | undefined =>
  Object.hasOwn(areas, at) ? areas[at as keyof typeof areas] : undefined;

const load = async (at: string): Promise<void> => {
  const area = areaOf(at);
  if (area === undefined) return;
  await loadPart({ pages: pages[area], texts: textsOf[area].map((name) => texts[name]) }, at);
};

const SignedOut = () => (
  <Dialog
    title={t().account.signedOut.title}
    onClose={() => {
      wasSignedOut.value = false;
      go('/');
    }}
  >
    <p>{t().account.signedOut.text}</p>
    <LinkButton to={`/account/sign-in?next=${encodeURIComponent(path.value)}`}>
      {t().account.signedOut.act}
    </LinkButton>
  </Dialog>
);

const App = () => {
  useSignalEffect(() => void load(path.value));
  const Page = pageAt(path.value);
  return (
    <Frame>
      {Page === undefined ? (
        <main class="form">
          {isBroken(path.value) ? (
            <Failed problem={offline} onRetry={() => load(path.value)} />
          ) : (
            <Skeleton />
          )}
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
  await Promise.all([addTexts([forAll]), load(path.value)]);
  const root = document.getElementById('app');
  if (root === null) return;
  root.replaceChildren();
  delete document.documentElement.dataset.waits;
  render(<App />, root);
};

void begin();
