import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { config } from './config.ts';
import { Button } from './kit/button.tsx';
import { link } from './kit/link.ts';
import { Own, Toast } from './kit/parts.tsx';
import { signOut, user } from './session.ts';
import { chooseLanguage, LANGUAGES, type Language, language, t } from './text/language.ts';

const THEME = 'gatehouse-theme';

const LanguageChoice = () => (
  <select
    class="button quiet"
    aria-label={t().kit.language}
    value={language()}
    onChange={(event) => void chooseLanguage(event.currentTarget.value as Language)}
  >
    {Object.entries(LANGUAGES).map(([tag, name]) => (
      <option key={tag} value={tag} lang={tag}>
        {name}
      </option>
    ))}
  </select>
);

const ThemeChoice = () => {
  const chosen = useSignal(document.documentElement.dataset.theme ?? 'system');
  const choose = (theme: string) => {
    chosen.value = theme;
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
      if (theme === 'system') localStorage.removeItem(THEME);
      else localStorage.setItem(THEME, theme);
    } catch {
      // It is forbidden here: the choice is for this page.
    }
  };
  return (
    <select
      class="button quiet"
      aria-label={t().kit.theme}
      value={chosen.value}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {Object.entries(t().kit.themes).map(([theme, name]) => (
        <option key={theme} value={theme}>
          {name}
        </option>
      ))}
    </select>
  );
};

const Choices = () => (
  <div class="tools">
    <LanguageChoice />
    <ThemeChoice />
  </div>
);

const Logo = () =>
  config.logo === null ? (
    <>
      <i class="mark" aria-hidden="true" />
      <span>{config.product}</span>
    </>
  ) : (
    <>
      {config.logo.dark === null ? null : <img class="dark" src={config.logo.dark} alt={config.product} />}
      <img src={config.logo.light} alt={config.product} />
    </>
  );

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
      ) : (
        <Choices />
      )}
    </header>
  );
};

const Footer = () => {
  const { support, terms, privacy } = config.links;
  const links = [
    [support, t().kit.support],
    [terms, t().kit.terms],
    [privacy, t().kit.privacy],
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
      {user.value ? <Choices /> : null}
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
