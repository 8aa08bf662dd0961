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
