import { batched } from '../../batched-calls.ts';
import { invalid } from '../../errors.ts';
import {
  IMPORT_OPTIONS,
  type ImportCounts,
  type ImportOptions,
  importLines,
  type Lines,
  makeLineReader,
} from '../../import-lines.ts';
import { FLAG, object, optional } from '../../schema.ts';
import { type Account, newAccount } from '../account.ts';
import type { Deps } from '../deps.ts';
import { FREE, SERVICE } from '../entitlement.ts';
import { makeEntitle } from '../entitlements/change-entitlements.ts';
import { DEFAULT_LANGUAGE } from '../mail/languages.ts';
import { type AuditEntry, createdEvents, withPending } from '../outbox-entries.ts';
import { type AcceptedOperator, acceptOperator, type Operator } from './admin-action.ts';
import { makeKeyOf } from './bind-identities.ts';
import { type ImportedUser, makeReadUserLine, type UserReading } from './read-user-line.ts';

export interface UserImportCounts extends ImportCounts {
  /**
   * Added users whose password hash is costlier to verify than new hashes. Until their next sign-in, response times
   * reveal the imported hash. Programs that read the output of `users import` know the count by this name.
   */
  readonly dearer: number;
  /** With `withoutPasswords`: users, existing users included, whose password hash cannot be stored here. */
  readonly lostPasswords?: number;
}

export interface UserImportOptions extends ImportOptions, UserReading {}
export const userImportOptions = object({ ...IMPORT_OPTIONS, withoutPasswords: optional(FLAG) });

/** Accounts in one write: as many as a batch of an import has lines. */
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
      return outcome;
    });
    if (!options.dryRun) {
      log.info('operator.acted', { reason: 'users.imported', count: counts.added });
      wake();
    }
    return { ...counts, dearer, ...(options.withoutPasswords && { lostPasswords }) };
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

  const entitled = (account: Account, tier: string | null, by: AcceptedOperator): Account => {
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
    const account = entitled(recorded, tier, by);
    return {
      account: { ...account, pending: account.pending.filter(({ kind }) => kind !== 'audit') },
      rows: account.pending.filter((entry) => entry.kind === 'audit'),
    };
  };
};
