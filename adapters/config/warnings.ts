import type { Config } from './config-types.ts';
import { remoteStoreSetting } from './remote-store.ts';

/** The edit distance of two words (Levenshtein); `most` + 1 at once if their lengths alone differ by more than `most`. */
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
/** A name that is at most this many edits away from a setting counts as misspelt. */
const MOST_EDITS = 2;

const OF_PROVIDER = /^OIDC_[A-Z0-9_]+_(?:CLIENT_ID|CLIENT_SECRET|ISSUER)(?:_FILE)?$/;

/** A warning about a name that resembles a setting, or is of a provider that OIDC_PROVIDERS does not name. */
const warningAbout = (name: string, settingNames: readonly string[]): string | undefined => {
  if (name.length < SHORTEST || !/^[A-Z0-9_]+$/.test(name) || settingNames.includes(name)) return undefined;
  // A name whose first two letters differ resembles a setting by chance, too.
  const suggestion = settingNames
    .filter((candidate) => candidate.startsWith(name.slice(0, 2)))
    .find((candidate) => distance(name, candidate, MOST_EDITS) <= MOST_EDITS);
  if (suggestion !== undefined) return `${name} is not a setting; did you mean ${suggestion}?`;
  return OF_PROVIDER.test(name)
    ? `${name} is no setting of a provider that OIDC_PROVIDERS names.`
    : undefined;
};

/**
 * Warnings about names that are no settings, and about valid but risky settings. `names` are all names in the environment and
 * in `.env`, `settingNames` those of all settings, for secrets also `NAME_FILE`.
 */
export const warningsAbout = (
  config: Omit<Config, 'secretSources' | 'warnings'>,
  names: readonly string[],
  settingNames: readonly string[],
): readonly string[] => {
  const lines = [...new Set(names)].flatMap((name) => warningAbout(name, settingNames) ?? []);
  if (remoteStoreSetting(config) !== undefined && config.redisUrl === null) {
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
    lines.push('SMTP_PLAIN is allow: mail and its credentials may cross the network unencrypted.');
  }
  return lines;
};
