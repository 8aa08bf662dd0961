import type { Config } from './types.ts';

/** The edit distance of two words (Levenshtein), counted up to `most` + 1. */
const distance = (one: string, other: string, most: number): number => {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, otherLetter] of [...other].entries()) {
      const replaced = (row[at] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
};

/** Shorter names resemble a setting by chance: HOME is not a misspelt HOST. */
const SHORTEST = 7;
const EDITS = 2;

const misspellings = (names: readonly string[], known: readonly string[]): readonly string[] =>
  [...new Set(names)]
    .filter((name) => name.length >= SHORTEST && /^[A-Z0-9_]+$/.test(name) && !known.includes(name))
    .flatMap((name) => {
      const meant = known.find(
        (one) => one.startsWith(name.slice(0, 2)) && distance(name, one, EDITS) <= EDITS,
      );
      return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`];
    });

const OF_PROVIDER = /^OIDC_[A-Z0-9_]+_(?:CLIENT_ID|CLIENT_SECRET|ISSUER)(?:_FILE)?$/;

/** Settings of providers that are not on. */
const strays = (names: readonly string[], known: readonly string[]): readonly string[] =>
  [...new Set(names)]
    .filter(
      (name) => OF_PROVIDER.test(name) && !known.includes(name) && misspellings([name], known).length === 0,
    )
    .map((name) => `${name} is no setting of a provider that OIDC_PROVIDERS names.`);

/** Warnings about valid settings. `names` are all names in the environment, `known` the names of all settings. */
export const warningsAbout = (
  config: Omit<Config, 'givenSecrets' | 'warnings'>,
  names: readonly string[],
  known: readonly string[],
): readonly string[] => {
  const lines = [...misspellings(names, known), ...strays(names, known)];
  if (config.mongodbUrl !== null && config.redisUrl === null) {
    lines.push('REDIS_URL is not set: only the processes of this machine share cache and limits.');
  }
  if (config.selfEntitlement === 'trust') {
    lines.push(
      'SELF_ENTITLEMENT is trust: users can give themselves any tier. Use it only to try the product.',
    );
  }
  if (config.cookieSessions && !config.publicUrl?.startsWith('https:')) {
    lines.push(
      'COOKIE_SESSIONS is on without https: session cookies lack Secure. Use it only on this machine.',
    );
  }
  if (config.mail.provider === 'smtp' && config.mail.plain) {
    lines.push('SMTP_PLAIN is allow: mail and its login may cross the network unencrypted.');
  }
  return lines;
};
