import type { ComponentChildren } from 'preact';
import { AskProof } from '../base/ask-proof.tsx';
import { Logo } from '../base/logo.tsx';
import { path } from '../base/router.ts';
import { wasSignedOut } from '../base/session.ts';
import { SignOut } from '../base/sign-out.tsx';
import { SignedOut } from '../base/signed-out.tsx';
import { LanguageAndTheme } from '../kit/language-and-theme.tsx';
import { link } from '../kit/link.ts';
import { lazyPiece } from '../kit/load.tsx';
import { Menu, useMenu } from '../kit/menu.tsx';
import { Toast } from '../kit/messages.tsx';
import { UserText } from '../kit/user-text.tsx';
import { self, signOut } from './session.ts';
import { c, texts } from './text.ts';

const PLACES = ['/', '/users', '/audit', '/mails', '/deliveries', '/jobs', '/keys', '/statistics'] as const;

const isAt = (place: string) => path.value === place || (place !== '/' && path.value.startsWith(`${place}/`));

const Places = () => {
  const { isOpen, menu, close } = useMenu();
  const { frame, titles } = c();
  return (
    <nav class="places" aria-label={frame.nav} ref={menu}>
      <button
        type="button"
        class="button plain"
        aria-expanded={isOpen.value}
        aria-controls="places"
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <span aria-hidden="true">☰</span> <span class="menu-name">{frame.menu}</span>
      </button>
      <ul id="places" class={isOpen.value ? 'open' : undefined}>
        {PLACES.map((place) => (
          <li key={place}>
            <a href={link(place)} onClick={close} aria-current={isAt(place) ? 'page' : undefined}>
              {titles[place]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const Operator = () => {
  if (!self.value) return null;
  const { email, role } = self.value;
  const { account, roles } = c().frame;
  return (
    <Menu
      kind="quiet"
      text={
        <>
          <span class="avatar small" aria-hidden="true">
            {email.slice(0, 1)}
          </span>
          <span class="visually-hidden">{account(email)}</span>
        </>
      }
    >
      {() => (
        <>
          <p class="small">
            <UserText bold text={email} />
            <br />
            <span class="muted">{roles[role]}</span>
          </p>
          <SignOut signOut={signOut} />
        </>
      )}
    </Menu>
  );
};

// The module of the sign-in page also has the dialog that asks for a proof.
const loadProof = lazyPiece(() => import('./sign-in.tsx'), [texts.proof]);

/** Header and footer round what a page shows, and the dialogs that any page may need. */
export const HeaderAndFooter = ({ children }: { readonly children: ComponentChildren }) => (
  <>
    <header class="top console">
      <a class="brand" href="/">
        <Logo />
        <span class="muted console-name">{c().frame.console}</span>
      </a>
      {self.value ? <Places /> : null}
      <Operator />
    </header>
    {children}
    <footer>
      <LanguageAndTheme />
    </footer>
    <Toast />
    {/* Without a session no proof can be given. The key replaces the dialog on another page, which cancels its request. */}
    {wasSignedOut.value ? null : <AskProof key={path.value} load={loadProof} />}
    {/* This dialog cannot be closed: only a sign-in leads on. */}
    {wasSignedOut.value && path.value !== '/sign-in' ? (
      <SignedOut
        to={`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`}
        onClose={() => undefined}
      />
    ) : null}
  </>
);
