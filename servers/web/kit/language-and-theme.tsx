import { useSignal } from '@preact/signals';
import { chooseLanguage, LANGUAGES, type Language, language, words } from '../text/language.ts';

const THEME = 'gatehouse-theme';

interface LanguageAndThemeProps {
  /** Called when the page is shown in another language. */
  readonly onLanguage?: () => unknown;
}

const LanguageChoice = ({ onLanguage }: LanguageAndThemeProps) => {
  const choose = async (tag: Language) => {
    if (await chooseLanguage(tag)) onLanguage?.();
  };
  return (
    <select
      class="button quiet"
      aria-label={words().kit.language}
      value={language()}
      onChange={(event) => void choose(event.currentTarget.value as Language)}
    >
      {Object.entries(LANGUAGES).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  );
};

const ThemeChoice = () => {
  const selected = useSignal(document.documentElement.dataset.theme ?? 'system');
  const choose = (theme: string) => {
    selected.value = theme;
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
      if (theme === 'system') localStorage.removeItem(THEME);
      else localStorage.setItem(THEME, theme);
    } catch {
      // Without storage the choice lasts for this page.
    }
  };
  return (
    <select
      class="button quiet"
      aria-label={words().kit.theme}
      value={selected.value}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {Object.entries(words().kit.themes).map(([theme, name]) => (
        <option key={theme} value={theme}>
          {name}
        </option>
      ))}
    </select>
  );
};

/** Language and colours of the pages, as this browser keeps them. */
export const LanguageAndTheme = (props: LanguageAndThemeProps) => (
  <div class="tools">
    <LanguageChoice {...props} />
    <ThemeChoice />
  </div>
);
