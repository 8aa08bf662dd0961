import type { Language } from '../account.ts';

// RFC 9110 section 12.4.2.
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

interface Preference {
  readonly weight: number;
  /** Where in the header it stands: of equal weights the first one counts. */
  readonly place: number;
}

/** A range (RFC 4647 section 2.1) with its weight; a malformed weight counts as 0. */
const readRange = (item: string): { readonly range: string; readonly weight: number } => {
  const [range = '', parameter] = item.split(';', 2);
  const weight = parameter === undefined ? '1' : WEIGHT.exec(parameter.trim())?.[1];
  return { range: range.trim().toLowerCase(), weight: Number(weight ?? 0) };
};

const better = (one: Preference, other: Preference | undefined) =>
  other === undefined || one.weight > other.weight;

/**
 * The language to write to someone in, by the `Accept-Language` header they sent (RFC 9110 section 12.5.4): Polish
 * when it is preferred to English, else English.
 */
export const chooseLanguage = (acceptLanguage: string | null): Language => {
  const found = new Map<string, Preference>();
  (acceptLanguage ?? '').split(',').forEach((item, place) => {
    const { range, weight } = readRange(item);
    const language = range.split('-', 1)[0] ?? '';
    if (language !== 'pl' && language !== 'en' && range !== '*') return;
    const preference = { weight, place };
    if (better(preference, found.get(language))) found.set(language, preference);
  });
  // What no range names is as welcome as `*`, and not at all without it.
  const rest = found.get('*') ?? { weight: 0, place: 0 };
  const polish = found.get('pl') ?? rest;
  const english = found.get('en') ?? rest;
  if (polish.weight !== english.weight) return polish.weight > english.weight ? 'pl' : 'en';
  return polish.weight > 0 && polish.place < english.place ? 'pl' : 'en';
};
