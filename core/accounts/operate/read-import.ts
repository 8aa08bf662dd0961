import { invalid } from '../../errors.ts';
import { type Fields, isFields, readFields } from '../../import-lines.ts';
import { readTime } from '../../times.ts';
import type { OAuthAccount, Restriction } from '../account.ts';
import { acceptDisplayName } from '../display-name.ts';
import { canonicalEmail } from '../email.ts';
import type { Kit } from '../kit.ts';

/** A user as a line of an import describes them. */
export interface ImportedUser {
  readonly email: string;
  readonly displayName: string | null;
  readonly verified: boolean;
  readonly passwordHash: string | null;
  readonly avatar: string | null;
  readonly oauthAccounts: readonly OAuthAccount[];
  readonly tier: string | null;
  readonly banned: Restriction | null;
  readonly disabled: Restriction | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

const MOST_OAUTH = 20;
const LONGEST_ADDRESS = 2_048;
const ADDRESS = /^https?:\/\/[^\s/?#@\u0080-\uffff]+(?:[/?#][\x21-\x7e]*)?$/i;

/** What an avatar from elsewhere must be. */
export const isAddress = (text: string): boolean => text.length <= LONGEST_ADDRESS && ADDRESS.test(text);

const LONE_SURROGATE = /\p{Surrogate}/u;

const wrong = (field: string, wanted: string) => invalid('invalid_line', `${field} must be ${wanted}.`);

/** A text of that length at most; undefined where there is none. */
const textOf = (fields: Fields, name: string, longest: number): string | undefined => {
  const value = fields[name] ?? undefined;
  if (value === undefined) return undefined;
  const fits = typeof value === 'string' && value !== '' && value.length <= longest;
  if (fits && !LONE_SURROGATE.test(value)) return value;
  throw wrong(name, `a text of 1 to ${longest} characters`);
};

const neededText = (fields: Fields, name: string, longest: number): string => {
  const value = textOf(fields, name, longest);
  if (value === undefined) throw wrong(name, 'given');
  return value;
};

const timeOf = (fields: Fields, now: number): number => {
  const text = textOf(fields, 'createdAt', 64);
  const time = text === undefined ? now : readTime(text);
  if (time === undefined || time > now || time < 0) throw wrong('createdAt', 'an ISO 8601 time of the past');
  return time;
};

/** `{reason, until?}`. What is over, or was never, is none. */
const restrictionOf = (fields: Fields, name: string, now: number): Restriction | null => {
  const given = fields[name] ?? null;
  if (given === null) return null;
  if (!isFields(given)) throw wrong(name, 'an object with a reason');
  const text = textOf(given, 'until', 64);
  const until = text === undefined ? null : readTime(text);
  if (until === undefined) throw wrong(`until of ${name}`, 'an ISO 8601 time');
  const reason = neededText(given, 'reason', 500).trim();
  if (reason === '') throw wrong(`reason of ${name}`, 'given');
  return until !== null && until <= now ? null : { reason, at: now, until };
};

/** Reads lines of an import. The function it gives throws `invalid` with what is wrong with the line. */
export const makeReadImport = ({ clock, domains, hasher, policy }: Kit) => {
  const hashOf = (fields: Fields): string | null => {
    const hash = textOf(fields, 'passwordHash', 512) ?? null;
    if (hash === null || hasher.accepts(hash)) return hash;
    throw wrong(
      'passwordHash',
      'of a form that docs/commands.md names, and at a cost of at most 256 MiB and some seconds',
    );
  };

  const oauthOf = ({ oauthAccounts: given }: Fields, now: number): readonly OAuthAccount[] => {
    const list = given ?? [];
    if (!Array.isArray(list) || list.length > MOST_OAUTH || !list.every(isFields)) {
      throw wrong('oauthAccounts', `a list of at most ${MOST_OAUTH} objects`);
    }
    return list.map((one) => ({
      provider: neededText(one, 'provider', 64),
      providerAccountId: neededText(one, 'providerAccountId', 255),
      email: textOf(one, 'email', 254) ?? null,
      createdAt: new Date(timeOf(one, now)).toISOString(),
    }));
  };

  return (line: string): ImportedUser => {
    const fields = readFields(line);
    const now = clock.now();
    const { emailVerified = false } = fields;
    if (typeof emailVerified !== 'boolean') throw wrong('emailVerified', 'true or false');
    const avatar = textOf(fields, 'avatar', LONGEST_ADDRESS) ?? null;
    if (avatar !== null && !isAddress(avatar)) throw wrong('avatar', 'an http(s) address');
    const tier = textOf(fields, 'tier', 64) ?? null;
    if (tier !== null && !policy.tiers.includes(tier))
      throw wrong('tier', `one of ${policy.tiers.join(', ')}`);
    return {
      email: canonicalEmail(domains, neededText(fields, 'email', 1_000)),
      displayName: acceptDisplayName(policy, textOf(fields, 'displayName', 1_000) ?? null),
      verified: emailVerified,
      passwordHash: hashOf(fields),
      avatar,
      oauthAccounts: oauthOf(fields, now),
      tier,
      banned: restrictionOf(fields, 'banned', now),
      disabled: restrictionOf(fields, 'disabled', now),
      createdAt: timeOf(fields, now),
    };
  };
};
