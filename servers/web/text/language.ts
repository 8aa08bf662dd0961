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

/** Where texts come from, in each language. */
export type Source = Readonly<Record<Language, () => Promise<object>>>;

/** A source whose texts are complete in each language. */
export const source = <T extends object>(en: () => Promise<T>, pl: () => Promise<NoInfer<T>>): Source => ({
  en,
  pl,
});

const sources = new Set<Source>();
const current = signal<{ readonly language: Language; readonly texts: Words } | undefined>(undefined);

const known = (tag: string): Language => (Object.hasOwn(LANGUAGES, tag) ? (tag as Language) : 'en');

// The language of the element is the server's choice, or an earlier one of this browser.
let wanted = known(document.documentElement.lang);
let latest: Promise<void> | undefined;

/** Shows all texts in the wanted language once they are there. */
const show = (): Promise<void> => {
  const load = async (): Promise<void> => {
    const language = wanted;
    const texts = await Promise.all([...sources].map((one) => one[language]()));
    // Other texts, or another language, were asked for meanwhile: whoever waits for these waits for those, too.
    if (latest !== own) return latest;
    document.documentElement.lang = language;
    current.value = { language, texts: Object.assign({}, ...texts) };
  };
  const own = load();
  latest = own;
  return own;
};

/** Adds the texts of a part to those that are shown. */
export const addTexts = async (added: readonly Source[]): Promise<void> => {
  if (added.every((one) => sources.has(one))) return latest?.catch(() => undefined);
  for (const one of added) sources.add(one);
  try {
    await show();
  } catch (error) {
    for (const one of added) sources.delete(one);
    throw error;
  }
};

/** Shows the page in another language, here and at the next visit. */
export const chooseLanguage = async (language: Language): Promise<void> => {
  wanted = language;
  try {
    await show();
  } catch {
    // Its texts cannot be had now. The choice is drawn as it was.
    if (wanted === language) wanted = current.value?.language ?? wanted;
    current.value = current.value && { ...current.value };
    return;
  }
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

/** The texts of the account's front: those that all pages need, and those of the parts that were loaded. */
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
