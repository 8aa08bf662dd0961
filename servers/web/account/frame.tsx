import type { ComponentChildren } from 'preact';
import { mayHaveSession, signOut } from '../auth/session.ts';
import { config } from '../base/config.ts';
import { Logo } from '../base/logo.tsx';
import { user } from '../base/session.ts';
import { SignOut } from '../base/sign-out.tsx';
import { Choices } from '../kit/choices.tsx';
import { link } from '../kit/link.ts';
import { Toast } from '../kit/messages.tsx';
import { UserText } from '../kit/user-text.tsx';
import { t } from '../text/language.ts';

/** Whether nobody is known to be signed in. */
const isOpen = () => user.value === null || (user.value === undefined && !mayHaveSession());

const Header = () => (
  <header class="top">
    <a class="brand" href="/">
      <Logo />
    </a>
    {user.value ? (
      <div class="tools">
        <span class="muted who">
          <UserText text={user.value.email} />
        </span>
        <SignOut signOut={() => signOut()} />
      </div>
    ) : isOpen() ? (
      <Choices />
    ) : null}
  </header>
);

const Footer = () => {
  const { support, terms, privacy } = config.links;
  const links = [
    [support, t().account.support],
    [terms, t().account.terms],
    [privacy, t().account.privacy],
  ] as const;
  return (
    <footer>
      {links.map(([address, name]) =>
        address === null ? null : (
          <a key={name} href={link(address)}>
            {name}
          </a>
        ),
      )}
      {isOpen() ? null : <Choices />}
    </footer>
  );
};

/** Header and footer round what a page shows. */
export const Frame = ({ children }: { readonly children: ComponentChildren }) => (
  <>
    <Header />
    {children}
    <Footer />
    <Toast />
  </>
);
