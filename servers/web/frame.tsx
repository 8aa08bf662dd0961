import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { config } from './config.ts';
import { Button } from './kit/button.tsx';
import { Choices } from './kit/choices.tsx';
import { link } from './kit/link.ts';
import { Logo } from './kit/logo.tsx';
import { Own, Toast } from './kit/parts.tsx';
import { mayHaveSession, signOut, user } from './session.ts';
import { t } from './text/language.ts';

/** Whether nobody is known to be signed in. */
const isOpen = () => user.value === null || (user.value === undefined && !mayHaveSession());

const Header = () => {
  const leaving = useSignal(false);
  const leave = async () => {
    leaving.value = true;
    await signOut();
    leaving.value = false;
  };
  return (
    <header class="top">
      <a class="brand" href="/">
        <Logo />
      </a>
      {user.value ? (
        <div class="tools">
          <span class="muted who">
            <Own text={user.value.email} />
          </span>
          <Button kind="plain" busy={leaving.value && t().kit.signOut} onPress={leave}>
            {t().kit.signOut}
          </Button>
        </div>
      ) : isOpen() ? (
        <Choices />
      ) : null}
    </header>
  );
};

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
