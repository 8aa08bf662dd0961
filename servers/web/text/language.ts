import { signal } from '@preact/signals';
import { readStored, store } from './browser-storage.ts';
import type { Texts } from './en.ts';

export const LANGUAGES = { en: 'English', pl: 'Polski' } as const;
export type Language = keyof typeof LANGUAGES;

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', pl: 'pl-PL' };
/** The names in the browser's storage. `before-first-paint.ts` reads all of them, and removes `CARRIED`. */
const CHOSEN = 'gatehouse-language';
const OF_ACCOUNT = 'gatehouse-account-language';
// The language of the address, kept while the tab is at another site.
const CARRIED = 'gatehouse-carried-language';
/** Whether the opened address named the language, which overrides all others. The server or `before-first-paint.ts` says so. */
const isInAddress = 'fromAddress' in document.documentElement.dataset;

/** The texts of kit and base, which both fronts have. The object also holds the texts of the front and its loaded areas. */
export interface Words extends Pick<Texts, 'kit' | 'signedOut' | 'signIn' | 'proof'> {
  readonly problems: {
    readonly codes: Readonly<Record<string, string>>;
    readonly unexpected: string;
    readonly offline: string;
  };
  /** More of `problems.codes`, on the pages that load them. */
  readonly settingsCodes?: Readonly<Record<string, string>>;
  readonly securityCodes?: Readonly<Record<string, string>>;
  readonly userCodes?: Readonly<Record<string, string>>;
  readonly titles: Readonly<Record<string, string>>;
}

/** The loaders of texts, by language. */
export type Source = Readonly<Record<Language, () => Promise<object>>>;

/** A source with all texts in each language. */
export const source = <T extends object>(loaders: {
  readonly en: () => Promise<T>;
  readonly pl: () => Promise<NoInfer<T>>;
}): Source => loaders;

/** The added sources, each with the load that added it. */
const sources = new Map<Source, Promise<void>>();
const current = signal<{ readonly language: Language; readonly texts: Words } | undefined>(undefined);

const languageOf = (tag: string): Language => (Object.hasOwn(LANGUAGES, tag) ? (tag as Language) : 'en');

// The server or `before-first-paint.ts` has set the language of the element.
let requested = languageOf(document.documentElement.lang);

/** The language of the page, or the language that is being loaded. */
export const pageLanguage = (): Language => requested;

let latest: Promise<void> | undefined;

/** Shows all texts in the requested language once they are loaded. */
const show = (): Promise<void> => {
  const load = async (): Promise<void> => {
    const language = requested;
    const texts = await Promise.all([...sources.keys()].map((item) => item[language]()));
    // Other texts or another language were requested meanwhile: callers wait for those, too.
    if (latest !== loading) return latest;
    document.documentElement.lang = language;
    current.value = { language, texts: Object.assign({}, ...texts) };
  };
  const loading = load();
  latest = loading;
  return loading;
};

/** Adds a source, and shares its load with the calls that follow. After a failure the next call tries again. */
const add = (item: Source): Promise<void> => {
  const load =
    sources.get(item) ??
    // `show` must wait for a microtask: it reads the map, in which the source is set below.
    Promise.resolve()
      .then(show)
      .catch((error: unknown) => {
        sources.delete(item);
        throw error;
      });
  sources.set(item, load);
  return load;
};

export const addTexts = async (added: readonly Source[]): Promise<void> => {
  await Promise.all(added.map(add));
};

/** Shows the page in another language. Returns whether its texts could be loaded. */
const change = async (language: Language): Promise<boolean> => {
  requested = language;
  try {
    await show();
    return true;
  } catch {
    if (requested === language) requested = current.value?.language ?? requested;
    // The select field already shows the failed choice. A new object makes it show the language of the page again.
    current.value = current.value && { ...current.value };
    return false;
  }
};

/** Shows the page in another language, here and at the next visit. Returns whether its texts could be loaded. */
export const chooseLanguage = async (language: Language): Promise<boolean> => {
  const isShown = await change(language);
  if (isShown) store(CHOSEN, language);
  return isShown;
};

/** Applies the language of the signed-in account, unless the address or this browser chose one. */
export const followAccount = async (language: Language | null): Promise<void> => {
  store(OF_ACCOUNT, language);
  const isChosen = isInAddress || typeof readStored(CHOSEN) === 'string';
  if (language !== null && language !== requested && !isChosen) await change(language);
};

/** Navigates to another site that leads back here. If the address named a language, the return is in this page's language. */
export const visitSite = (url: string): void => {
  try {
    if (isInAddress) sessionStorage.setItem(CARRIED, requested);
  } catch {
    // The browser blocks storage: the return has the language that it would choose itself.
  }
  location.assign(url);
};

/** The texts in the language of the page. A component that calls this is rendered again when the language changes. */
export const words = (): Words => {
  if (current.value === undefined) throw new Error('The texts are not loaded yet.');
  return current.value.texts;
};

/** The texts of the account's front: those of all pages, and those of the loaded areas. */
export const t = (): Texts => words() as Texts;

/** The language of the texts that are shown. */
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
