import { useSignal } from '@preact/signals';
import { store } from '../text/browser-storage.ts';
import { chooseLanguage, LANGUAGES, type Language, language, words } from '../text/language.ts';

const THEME = 'gatehouse-theme';

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

/** Language and colours of the pages, as this browser keeps them. `onLanguage`: called when the language has changed. */
export const LanguageAndTheme = ({ onLanguage }: { readonly onLanguage?: () => unknown }) => {
  const shownTheme = useSignal(document.documentElement.dataset.theme ?? 'system');
  const { kit } = words();
  const choose = async (tag: string) => {
    if (await chooseLanguage(tag as Language)) onLanguage?.();
  };
  const chooseTheme = (theme: string) => {
    shownTheme.value = theme;
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    store(THEME, theme === 'system' ? null : theme);
  };
  return (
    <div class="tools">
      <Choice
        areLanguages
        label={kit.language}
        value={language()}
        options={LANGUAGES}
        onChange={(tag) => void choose(tag)}
      />
      <Choice label={kit.theme} value={shownTheme.value} options={kit.themes} onChange={chooseTheme} />
    </div>
  );
};
