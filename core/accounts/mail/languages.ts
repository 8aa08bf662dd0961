import { NOT_WANTED, type Preference, readPreferences } from '../../accept-header.ts';
import { english } from './english.ts';
import type { Phrasebook } from './phrasebook.ts';
import { polish } from './polish.ts';

/** The languages of mails, by primary subtag (RFC 5646 section 2.2.1), the default first. */
export const languages = { en: english, pl: polish } satisfies Readonly<Record<string, Phrasebook>>;

export type Language = keyof typeof languages;

export const LANGUAGES = Object.keys(languages) as readonly Language[];

export const DEFAULT_LANGUAGE: Language = 'en';

/** The language of a stored mail. English if this version does not support the stored language. */
export const supportedLanguage = (tag: string): Language =>
  Object.hasOwn(languages, tag) ? (tag as Language) : DEFAULT_LANGUAGE;

const supportedRanges: ReadonlySet<string> = new Set([...LANGUAGES, '*']);

/** The primary subtag of a range (RFC 4647 section 2.1). */
const primary = (range: string): string => range.split('-', 1)[0] ?? '';

/** The preferred supported language of an `Accept-Language` header (RFC 9110 section 12.5.4), else English. */
export const chooseLanguage = (acceptLanguage: string | null): Language => {
  const preferences = readPreferences(acceptLanguage ?? '', supportedRanges, primary);
  // A language without a range has the weight of `*`.
  const wildcard = preferences.get('*') ?? NOT_WANTED;
  let best: { readonly language: Language } & Preference = { language: DEFAULT_LANGUAGE, ...NOT_WANTED };
  for (const language of LANGUAGES) {
    const { weight, index } = preferences.get(language) ?? wildcard;
    if (weight > best.weight || (weight === best.weight && index < best.index))
      best = { language, weight, index };
  }
  return best.language;
};
