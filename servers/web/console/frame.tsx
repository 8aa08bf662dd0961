import { signal, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { askForProof, type ProofRequest, proofRequest } from '../api.ts';
import { Button, LinkButton } from '../kit/button.tsx';
import { Choices } from '../kit/choices.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { link } from '../kit/link.ts';
import { lazyPiece } from '../kit/load.tsx';
import { Logo } from '../kit/logo.tsx';
import { Own, Toast } from '../kit/parts.tsx';
import { path } from '../router.ts';
import { whenProofNeeded } from './api.ts';
import { self, signOut, wasSignedOut } from './session.ts';
import { c, texts } from './text.ts';

const PLACES = ['/', '/users', '/audit', '/mails', '/deliveries', '/jobs', '/keys', '/statistics'] as const;

const isAt = (place: string) => path.value === place || (place !== '/' && path.value.startsWith(`${place}/`));

const Leave = () => {
  const leaving = useSignal(false);
  const { kit } = c();
  const leave = async () => {
    leaving.value = true;
    await signOut();
    leaving.value = false;
  };
  return (
    <Button kind="plain" busy={leaving.value && kit.signOut} onPress={leave}>
      {kit.signOut}
    </Button>
  );
};

const Places = () => {
  const isOpen = useSignal(false);
  const { frame, titles } = c();
  useSignalEffect(() => {
    if (path.value !== '') isOpen.value = false;
  });
  return (
    <nav class="places" aria-label={frame.nav}>
      <button
        type="button"
        class="button plain menu"
        aria-expanded={isOpen.value}
        aria-controls="places"
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <span aria-hidden="true">☰</span> {frame.menu}
      </button>
      <ul id="places" class={isOpen.value ? 'open' : undefined}>
        {PLACES.map((place) => (
          <li key={place}>
            <a href={link(place)} aria-current={isAt(place) ? 'page' : undefined}>
              {titles[place]}
            </a>
          </li>
        ))}
        <li class="narrow">
          <Leave />
        </li>
      </ul>
    </nav>
  );
};

const Who = () => {
  if (!self.value) return null;
  const { email, role } = self.value;
  return (
    <div class="tools">
      <span class="muted who small">
        <Own text={email} /> ({c().frame.roles[role]})
      </span>
      <Leave />
    </div>
  );
};

const Over = () => {
  const { over } = c().frame;
  return (
    <Dialog title={over.title} onClose={() => undefined}>
      <p>{over.text}</p>
      <LinkButton to={`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`}>
        {over.act}
      </LinkButton>
    </Dialog>
  );
};

const proofDialog = signal<ComponentType<ProofRequest> | undefined>(undefined);
const loadProof = lazyPiece(() => import('./sign-in.tsx'), [texts.proof]);

whenProofNeeded(async (needed) => {
  const { data } = await loadProof();
  if (data === undefined) return false;
  proofDialog.value = data.Ask;
  return askForProof(needed);
});

/** Asks for a fresh proof. Leaving the page, or being signed out, cancels the request. */
const Proof = () => {
  const [request, Ask] = [proofRequest.value, proofDialog.value];
  return request === null || Ask === undefined || wasSignedOut.value ? null : (
    <Ask key={path.value} {...request} />
  );
};

/** Header and footer round what a page shows, and the dialogs that any page may need. */
export const Frame = ({ children }: { readonly children: ComponentChildren }) => (
  <>
    <header class="top console">
      <a class="brand" href="/">
        <Logo />
        <span class="muted console-name">{c().frame.console}</span>
      </a>
      {self.value ? <Places /> : null}
      <Who />
    </header>
    {children}
    <footer>
      <Choices />
    </footer>
    <Toast />
    <Proof />
    {wasSignedOut.value && path.value !== '/sign-in' ? <Over /> : null}
  </>
);
