import { english } from './english.ts';
import type { Phrasebook } from './phrasebook.ts';
import { polish } from './polish.ts';

/** Every language that mails are written in, by its primary subtag (RFC 5646 section 2.2.1), the default first. */
export const languages = { en: english, pl: polish } satisfies Readonly<Record<string, Phrasebook>>;

export type Language = keyof typeof languages;

/** For recipients who prefer none of the languages. */
export const DEFAULT_LANGUAGE: Language = 'en';

/** The language of a stored mail. A store may name one that this version does not write: English serves then. */
export const knownLanguage = (tag: string): Language =>
  Object.hasOwn(languages, tag) ? (tag as Language) : DEFAULT_LANGUAGE;

// RFC 9110 section 12.4.2.
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

interface Preference {
  readonly weight: number;
  /** The position in the header: of equal weights the first counts. */
  readonly place: number;
}

/** A range (RFC 4647 section 2.1) with its weight; a malformed weight counts as 0. */
const readRange = (item: string): { readonly range: string; readonly weight: number } => {
  const [range = '', parameter] = item.split(';', 2);
  const weight = parameter === undefined ? '1' : WEIGHT.exec(parameter.trim())?.[1];
  return { range: range.trim().toLowerCase(), weight: Number(weight ?? 0) };
};

const known: ReadonlySet<string> = new Set([...Object.keys(languages), '*']);

/** The best preference for each language that we write, and for `*`. */
const readPreferences = (header: string): ReadonlyMap<string, Preference> => {
  const found = new Map<string, Preference>();
  header.split(',').forEach((item, place) => {
    const { range, weight } = readRange(item);
    const language = range.split('-', 1)[0] ?? '';
    const earlier = found.get(language);
    if (!known.has(language) || (earlier !== undefined && earlier.weight >= weight)) return;
    found.set(language, { weight, place });
  });
  return found;
};

const NOT_WANTED: Preference = { weight: 0, place: 0 };

/**
 * The language to write to someone in, by the `Accept-Language` header they sent (RFC 9110 section 12.5.4): the one
 * they prefer of those that we write, else English.
 */
export const chooseLanguage = (acceptLanguage: string | null): Language => {
  const found = readPreferences(acceptLanguage ?? '');
  // A language that no range names has the weight of `*`.
  const rest = found.get('*') ?? NOT_WANTED;
  let best: { readonly language: Language } & Preference = { language: DEFAULT_LANGUAGE, ...NOT_WANTED };
  for (const language of Object.keys(languages) as Language[]) {
    const { weight, place } = found.get(language) ?? rest;
    if (weight > best.weight || (weight === best.weight && weight > 0 && place < best.place))
      best = { language, weight, place };
  }
  return best.language;
};
