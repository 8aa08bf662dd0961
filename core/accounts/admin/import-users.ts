import { batched } from '../../batched-calls.ts';
import { invalid } from '../../errors.ts';
import {
  type Fields,
  IMPORT_OPTIONS,
  type ImportCounts,
  type ImportOptions,
  importLines,
  isFields,
  type Lines,
  makeLineReader,
  readFields,
} from '../../import-lines.ts';
import { isoTime, readTime } from '../../iso-times.ts';
import { CALL, FLAG, object, optional } from '../../schema.ts';
import { type Account, newAccount, type OAuthAccount, type Restriction } from '../account.ts';
import type { Deps } from '../deps.ts';
import { acceptDisplayName, isShowable } from '../display-name.ts';
import { canonicalEmail } from '../email.ts';
import { FREE, SERVICE } from '../entitlement.ts';
import { makeEntitle } from '../entitlements/change-entitlements.ts';
import { DEFAULT_LANGUAGE } from '../mail/languages.ts';
import { type AuditEntry, createdEvents, withPending } from '../outbox-entries.ts';
import { defaultAccountsPolicy } from '../policy.ts';
import { type AcceptedOperator, acceptOperator, isShowableReason, type Operator } from './admin-action.ts';
import { makeKeyOf } from './bind-identities.ts';

/** Options for reading the lines of an import. */
interface UserReadingOptions {
  /** Imports a user without a password if their hash cannot be stored here. Without the option, such a line is invalid. */
  readonly withoutPasswords?: boolean | undefined;
}

/** A user as described by a line of an import. */
export interface ImportedUser {
  readonly email: string;
  readonly displayName: string | null;
  readonly verified: boolean;
  readonly passwordHash: string | null;
  /** The line has a hash that cannot be stored here. */
  readonly hasLostPassword: boolean;
  readonly avatar: string | null;
  readonly oauthAccounts: readonly OAuthAccount[];
  readonly tier: string | null;
  readonly banned: Restriction | null;
  readonly disabled: Restriction | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Fields of the line that the import does not know. */
  readonly unknownFields: readonly string[];
}

/** The fields of a line. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'email',
  'displayName',
  'emailVerified',
  'passwordHash',
  'avatar',
  'oauthAccounts',
  'tier',
  'banned',
  'disabled',
  'createdAt',
]);

type ImportedPassword = Pick<ImportedUser, 'passwordHash' | 'hasLostPassword'>;

const MOST_OAUTH = 20;
const LONGEST_ADDRESS = 2_048;
const ADDRESS = /^https?:\/\/[^\s/?#@\u0080-\uffff]+(?:[/?#][\x21-\x7e]*)?$/i;

/** Whether the text is a valid address of an external avatar: http(s), ASCII only, without user name and password. */
export const isAddress = (text: string): boolean => text.length <= LONGEST_ADDRESS && ADDRESS.test(text);

const invalidField = (field: string, requirement: string) =>
  invalid('invalid_line', `${field} must be ${requirement}.`);

const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longest && value.isWellFormed();

const NAME_LONGEST = 1_000;

/** Whether the import accepts the display name of a user. */
export const isImportableName = (name: string): boolean =>
  isText(name, NAME_LONGEST) && isShowable(name.trim(), defaultAccountsPolicy.displayNameLongest);

const RESTRICTION_REASON_LONGEST = 500;

/** Whether the import accepts the reason of a ban. */
export const isImportableReason = (reason: string): boolean =>
  isText(reason, RESTRICTION_REASON_LONGEST) && isShowableReason(reason.trim());

const textUpTo = (longest: number): string => `a text of 1 to ${longest} characters`;

/** The text of a field, at most `longest` characters; undefined if the field is absent or null. */
const textOf = (fields: Fields, name: string, longest: number): string | undefined => {
  const value = fields[name] ?? undefined;
  if (value === undefined || isText(value, longest)) return value;
  throw invalidField(name, textUpTo(longest));
};

const requiredText = (fields: Fields, name: string, longest: number): string => {
  const value = textOf(fields, name, longest);
  if (value === undefined) throw invalidField(name, 'present');
  return value;
};

/** The time in `createdAt` of a user or an identity; now if absent. */
const createdAtOf = (fields: Fields, now: number): number => {
  const text = textOf(fields, 'createdAt', 64);
  const time = text === undefined ? now : readTime(text);
  if (time === undefined || time > now || time < 0)
    throw invalidField('createdAt', 'an ISO 8601 time in the past');
  return time;
};

/** Reads `{reason, until?}`. Null if the restriction is absent or has expired. */
const readRestriction = (fields: Fields, name: string, now: number): Restriction | null => {
  const restriction = fields[name] ?? null;
  if (restriction === null) return null;
  if (!isFields(restriction)) throw invalidField(name, 'an object with a reason');
  const text = textOf(restriction, 'until', 64);
  const until = text === undefined ? null : readTime(text);
  if (until === undefined) throw invalidField(`until of ${name}`, 'an ISO 8601 time');
  const reason = requiredText(restriction, 'reason', RESTRICTION_REASON_LONGEST).trim();
  if (!isShowableReason(reason))
    throw invalidField(`reason of ${name}`, 'readable, without control characters');
  return until !== null && until <= now ? null : { reason, at: now, until };
};

const LONGEST_HASH = 512;

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1_000)} s`;

/**
 * Reads lines of an import. `timeOfHash` estimates the milliseconds that the check of a password hash takes on this
 * machine. The reader throws `invalid` with the problem of the line.
 */
const makeReadUserLine = (
  deps: Deps,
  timeOfHash: (hash: string) => number,
  { withoutPasswords = false }: UserReadingOptions,
) => {
  const { clock, domains, hasher, policy } = deps;

  /** The requirement that the hash violates; undefined if the hash can be stored. */
  const requirementOf = (hash: string): string | undefined => {
    if (!hasher.accepts(hash))
      return 'of a form that docs/commands.md names, and at a cost of at most 256 MiB and some seconds';
    const time = timeOfHash(hash);
    if (time <= policy.importedHashTimeMs) return undefined;
    return `a hash that this machine checks within about ${seconds(policy.importedHashTimeMs)}, but this one takes ${seconds(time)}`;
  };

  /** The result for a hash that violates a requirement. Throws unless the user may be imported without a password. */
  const lostPassword = (requirement: string): ImportedPassword => {
    if (!withoutPasswords) throw invalidField('passwordHash', requirement);
    return { passwordHash: null, hasLostPassword: true };
  };

  const passwordOf = (fields: Fields): ImportedPassword => {
    const hash = fields.passwordHash ?? null;
    if (hash === null) return { passwordHash: null, hasLostPassword: false };
    if (!isText(hash, LONGEST_HASH)) return lostPassword(textUpTo(LONGEST_HASH));
    const requirement = requirementOf(hash);
    return requirement === undefined
      ? { passwordHash: hash, hasLostPassword: false }
      : lostPassword(requirement);
  };

  const oauthOf = ({ oauthAccounts: accounts }: Fields, now: number): readonly OAuthAccount[] => {
    const list = accounts ?? [];
    if (!Array.isArray(list) || list.length > MOST_OAUTH || !list.every(isFields)) {
      throw invalidField('oauthAccounts', `a list of at most ${MOST_OAUTH} objects`);
    }
    return list.map((entry) => ({
      provider: requiredText(entry, 'provider', 64),
      providerAccountId: requiredText(entry, 'providerAccountId', 255),
      email: textOf(entry, 'email', 254) ?? null,
      createdAt: isoTime(createdAtOf(entry, now)),
    }));
  };

  return (line: string): ImportedUser => {
    const fields = readFields(line);
    const now = clock.now();
    const { emailVerified = false } = fields;
    if (typeof emailVerified !== 'boolean') throw invalidField('emailVerified', 'true or false');
    const avatar = textOf(fields, 'avatar', LONGEST_ADDRESS) ?? null;
    if (avatar !== null && !isAddress(avatar)) throw invalidField('avatar', 'an http(s) address');
    const tier = textOf(fields, 'tier', 64) ?? null;
    if (tier !== null && !policy.tiers.includes(tier))
      throw invalidField('tier', `one of ${policy.tiers.join(', ')}`);
    return {
      email: canonicalEmail(domains, requiredText(fields, 'email', 1_000)),
      displayName: acceptDisplayName(policy, textOf(fields, 'displayName', NAME_LONGEST) ?? null),
      verified: emailVerified,
      ...passwordOf(fields),
      avatar,
      oauthAccounts: oauthOf(fields, now),
      tier,
      banned: readRestriction(fields, 'banned', now),
      disabled: readRestriction(fields, 'disabled', now),
      createdAt: createdAtOf(fields, now),
      unknownFields: Object.keys(fields).filter((name) => !KNOWN_FIELDS.has(name)),
    };
  };
};

interface Addition {
  readonly account: Account;
  readonly rows: readonly AuditEntry[];
}

/** Makes the account of an imported user, with its audit rows apart. A tier becomes an operator's grant. */
const makeAdditionOf = (deps: Deps) => {
  const { clock, entries, newId } = deps;
  const entitle = makeEntitle(deps);

  const withTier = (account: Account, tier: string | null, by: AcceptedOperator): Account => {
    // Everybody has the free tier: a grant of it would override a purchase.
    if (tier === null || tier === FREE.tier) return account;
    const changedBy = { authority: { kind: 'internal' }, ...by } as const;
    return entitle(account, { service: SERVICE, tier }, changedBy).next ?? account;
  };

  return (user: ImportedUser, by: AcceptedOperator): Addition => {
    const { email, displayName, verified, passwordHash, avatar, oauthAccounts, tier, createdAt } = user;
    const { banned, disabled } = user;
    const base = newAccount({
      id: newId(),
      email,
      displayName,
      language: DEFAULT_LANGUAGE,
      passwordHash,
      now: clock.now(),
    });
    const after = {
      verified,
      password: passwordHash !== null,
      oauthAccounts: oauthAccounts.length,
      ...(banned !== null && { banned: true }),
      ...(disabled !== null && { disabled: true }),
    };
    const row = entries.audit({ action: 'user.imported', target: base.id, after, ...by });
    const events = [
      ...createdEvents(deps, { id: base.id, verified }),
      ...(banned === null ? [] : [entries.event('user.banned', base.id)]),
    ];
    const filled = { ...base, verified, avatar, oauthAccounts, banned, disabled, createdAt };
    const recorded = withPending(filled, row, ...events);
    const account = withTier(recorded, tier, by);
    return {
      account: { ...account, pending: account.pending.filter(({ kind }) => kind !== 'audit') },
      rows: account.pending.filter((entry) => entry.kind === 'audit'),
    };
  };
};

export interface UserImportCounts extends ImportCounts {
  /**
   * Added users whose password hash is costlier to verify than new hashes. Until their next sign-in, response times
   * reveal the imported hash. Programs that read the output of `users import` know the count by this name.
   */
  readonly dearer: number;
  /** With `withoutPasswords`: users, existing users included, whose password hash cannot be stored here. */
  readonly lostPasswords?: number;
}

export interface UserImportOptions extends ImportOptions, UserReadingOptions {
  /** Receives the names of fields that are not imported, for each user who is added or exists. */
  readonly onUnknownFields?: ((names: readonly string[]) => void) | undefined;
}
export const userImportOptions = object({
  ...IMPORT_OPTIONS,
  withoutPasswords: optional(FLAG),
  onUnknownFields: optional(CALL),
});

/** The most accounts in one write: as many as a batch of an import has lines. */
const MAX_BATCH = 256;

export const makeImportUsers = (deps: Deps) => {
  const { accounts, appendAudit, hasher, keys, log, wake } = deps;
  const additionOf = makeAdditionOf(deps);
  const keyOf = makeKeyOf(deps);

  /**
   * Lines are processed concurrently, so additions arrive together and are written in batches. The audit rows are
   * written first: no account exists without its rows, and the log has all of them when the import ends. The relay
   * delivers only the events.
   */
  const add = batched((additions: readonly Addition[]) => {
    const rowsOf = new Map(additions.map(({ account, rows }) => [account.id, rows]));
    return accounts.addAll(
      additions.map(({ account }) => account),
      async (newAccounts) => {
        await Promise.all(newAccounts.flatMap(({ id }) => rowsOf.get(id) ?? []).map(appendAudit));
      },
    );
  }, MAX_BATCH);

  /** Throws `invalid` (`invalid_line`) for an identity that belongs to another account. */
  const refuseBound = async ({ email, oauthAccounts }: ImportedUser): Promise<void> => {
    for (const identity of oauthAccounts) {
      const key = keyOf(identity);
      const owner = key === undefined ? undefined : await keys.find(key);
      if (owner !== undefined && owner.account.email !== email)
        throw invalid(
          'invalid_line',
          'oauthAccounts must have no identity with which another user signs in.',
        );
    }
  };

  return async (lines: Lines, options: UserImportOptions, by: Operator): Promise<UserImportCounts> => {
    const operator = acceptOperator(by);
    const readLine = makeLineReader(makeReadUserLine(deps, await hasher.measureVerification(), options));
    let dearer = 0;
    let lostPasswords = 0;
    // A retry of a line after a store failure reuses its account and rows, so that the log has the rows once.
    const additionsByLine = new Map<number, Addition>();

    const importUser = async (user: ImportedUser, line: number): Promise<'added' | 'skipped'> => {
      await refuseBound(user);
      if (options.dryRun) return (await accounts.findByEmail(user.email)) === undefined ? 'added' : 'skipped';
      const addition = additionsByLine.get(line) ?? additionOf(user, operator);
      additionsByLine.set(line, addition);
      const isAdded = await add(addition);
      additionsByLine.delete(line);
      return isAdded ? 'added' : 'skipped';
    };

    const counts = await importLines(lines, options, async (text, line) => {
      const user = readLine(text);
      const outcome = await importUser(user, line);
      const isCostlier = user.passwordHash !== null && hasher.isCostlier(user.passwordHash);
      if (outcome === 'added' && isCostlier) dearer += 1;
      if (user.hasLostPassword) lostPasswords += 1;
      if (user.unknownFields.length > 0) options.onUnknownFields?.(user.unknownFields);
      return outcome;
    });
    if (!options.dryRun) {
      log.info('operator.acted', { reason: 'users.imported', count: counts.added });
      wake();
    }
    return { ...counts, dearer, ...(options.withoutPasswords && { lostPasswords }) };
  };
};
