import { signal } from '@preact/signals';
import type { AccountTexts } from '../text/account-en.ts';
import { type Language, language } from '../text/language.ts';

const loads: Readonly<Record<Language, () => Promise<{ readonly default: AccountTexts }>>> = {
  en: () => import('../text/account-en.ts'),
  pl: () => import('../text/account-pl.ts'),
};

const loaded = signal<AccountTexts | undefined>(undefined);

/** Has the texts of the account's pages follow the language of the page. */
export const loadTexts = async (): Promise<void> => {
  const { default: texts } = await loads[language()]();
  loaded.value = texts;
};

export const areLoaded = (): boolean => loaded.value !== undefined;

export const a = (): AccountTexts => {
  if (loaded.value === undefined) throw new Error('The texts are not there yet.');
  return loaded.value;
};
