import { useSignal } from '@preact/signals';
import { store } from '../text/browser-storage.ts';
import { chooseLanguage, LANGUAGES, type Language, language, words } from '../text/language.ts';

const THEME = 'gatehouse-theme';

interface LanguageAndThemeProps {
  /** Called when the page is shown in another language. */
  readonly onLanguage?: () => unknown;
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** The label of each value. */
  readonly options: Readonly<Record<string, string>>;
  /** Whether each value is a language, and its label is in that language. */
  readonly areLanguages?: boolean;
  readonly onChange: (value: string) => void;
}

const Choice = ({ label, value, options, areLanguages, onChange }: ChoiceProps) => (
  <select
    class="button quiet"
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  >
    {Object.entries(options).map(([key, text]) => (
      <option key={key} value={key} lang={areLanguages ? key : undefined}>
        {text}
      </option>
    ))}
  </select>
);

const LanguageChoice = ({ onLanguage }: LanguageAndThemeProps) => {
  const choose = async (tag: string) => {
    if (await chooseLanguage(tag as Language)) onLanguage?.();
  };
  return (
    <Choice
      areLanguages
      label={words().kit.language}
      value={language()}
      options={LANGUAGES}
      onChange={(tag) => void choose(tag)}
    />
  );
};

const ThemeChoice = () => {
  const selected = useSignal(document.documentElement.dataset.theme ?? 'system');
  const choose = (theme: string) => {
    selected.value = theme;
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    store(THEME, theme === 'system' ? null : theme);
  };
  const { theme, themes } = words().kit;
  return <Choice label={theme} value={selected.value} options={themes} onChange={choose} />;
};

/** Language and colours of the pages, as this browser keeps them. */
export const LanguageAndTheme = (props: LanguageAndThemeProps) => (
  <div class="tools">
    <LanguageChoice {...props} />
    <ThemeChoice />
  </div>
);
