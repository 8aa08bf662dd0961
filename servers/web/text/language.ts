import { signal } from '@preact/signals';
import type { Texts } from './en.ts';

export const LANGUAGES = { en: 'English', pl: 'Polski' } as const;
export type Language = keyof typeof LANGUAGES;

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', pl: 'pl-PL' };
const STORED = 'gatehouse-language';

/** The texts that the kit shows. Each front has them, and more. */
export interface Words extends Pick<Texts, 'kit'> {
  readonly problems: {
    readonly codes: Readonly<Record<string, string>>;
    readonly unexpected: string;
    readonly offline: string;
  };
  /** The titles of the pages, by their paths. */
  readonly titles: Readonly<Record<string, string>>;
}

/** Where the texts of a front come from. */
export type Loads = Readonly<Record<Language, () => Promise<{ readonly default: Words }>>>;

let loads: Loads | undefined;

const current = signal<{ readonly language: Language; readonly texts: Words } | undefined>(undefined);

const known = (tag: string): Language => (Object.hasOwn(LANGUAGES, tag) ? (tag as Language) : 'en');

const show = async (language: Language): Promise<void> => {
  if (loads === undefined) return;
  const { default: texts } = await loads[language]();
  document.documentElement.lang = language;
  current.value = { language, texts };
};

/** Shows the page in the language of its element, which the server or an earlier choice has set. */
export const beginLanguage = (given: Loads): Promise<void> => {
  loads = given;
  return show(known(document.documentElement.lang));
};

/** Shows the page in another language, here and at the next visit. */
export const chooseLanguage = async (language: Language): Promise<void> => {
  await show(language);
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // It is forbidden here: the choice is for this page.
  }
};

/** The texts in the language of the page. A component that calls it is drawn anew when the language changes. */
export const words = (): Words => {
  if (current.value === undefined) throw new Error('The language is not there yet.');
  return current.value.texts;
};

/** The texts of the account's front. */
export const t = (): Texts => words() as Texts;

export const language = (): Language => current.value?.language ?? 'en';
export const locale = (): string => LOCALES[language()];

export const shownDate = (time: string | number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'long' }).format(new Date(time));

export const shownTime = (time: string | number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time));

/** The time of a day, with the date unless it is today. */
export const shownMoment = (time: number): string => {
  const isToday = new Date(time).toDateString() === new Date().toDateString();
  return isToday ? new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }).format(time) : shownTime(time);
};

export const shownMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat(locale(), { style: 'currency', currency }).format(amount);
