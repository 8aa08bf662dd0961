/** The edit distance of two words (Levenshtein), counted up to `most` + 1. */
const distance = (first: string, second: string, most: number): number => {
  if (Math.abs(first.length - second.length) > most) return most + 1;
  let row = Array.from({ length: second.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...first].entries()) {
    const next = [index + 1];
    for (const [at, secondLetter] of [...second].entries()) {
      const replaced = (row[at] ?? 0) + (letter === secondLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[second.length] ?? 0;
};

/** Shorter names resemble a setting by chance: HOME is not a misspelt HOST. */
const SHORTEST = 7;
const EDITS = 2;

/** Warnings about names that resemble a setting. */
const misspellings = (names: readonly string[], settingNames: readonly string[]): readonly string[] =>
  [...new Set(names)]
    .filter((name) => name.length >= SHORTEST && /^[A-Z0-9_]+$/.test(name) && !settingNames.includes(name))
    .flatMap((name) => {
      const suggestion = settingNames.find(
        (candidate) => candidate.startsWith(name.slice(0, 2)) && distance(name, candidate, EDITS) <= EDITS,
      );
      return suggestion === undefined ? [] : [`${name} is not a setting; did you mean ${suggestion}?`];
    });

const OF_PROVIDER = /^OIDC_[A-Z0-9_]+_(?:CLIENT_ID|CLIENT_SECRET|ISSUER)(?:_FILE)?$/;

/** Warnings about settings of providers that OIDC_PROVIDERS does not name. */
const strays = (names: readonly string[], settingNames: readonly string[]): readonly string[] =>
  [...new Set(names)]
    .filter(
      (name) =>
        OF_PROVIDER.test(name) &&
        !settingNames.includes(name) &&
        misspellings([name], settingNames).length === 0,
    )
    .map((name) => `${name} is no setting of a provider that OIDC_PROVIDERS names.`);

/** Warnings about names in the environment that look like settings, but are none. */
export const warningsAboutNames = (
  names: readonly string[],
  settingNames: readonly string[],
): readonly string[] => [...misspellings(names, settingNames), ...strays(names, settingNames)];
