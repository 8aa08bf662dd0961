import { invalid } from '../../errors.ts';
import { type ImportCounts, type ImportOptions, importLines, type Lines } from '../../import-lines.ts';
import { type Account, newAccount } from '../account.ts';
import { makeAppendAudit } from '../aftermath/audit.ts';
import { batched } from '../aftermath/batch.ts';
import { FREE, SERVICE } from '../entitlement.ts';
import { makeEntitle } from '../entitlements/entitle.ts';
import { makeLoginKeys } from '../keys/login-keys.ts';
import type { Kit } from '../kit.ts';
import { DEFAULT_LANGUAGE } from '../mail/languages.ts';
import { type AuditEntry, createdEvents, withPending } from '../pending.ts';
import { type AcceptedOperator, acceptOperator, type Operator } from './act.ts';
import { type ImportedUser, makeReadImport } from './read-import.ts';
import { makeKeyOf } from './ways-in/bind-identities.ts';

export interface UserImportCounts extends ImportCounts {
  /** Added users whose password hash costs more than ours. Until their next login, the time of an answer reveals it. */
  readonly dearer: number;
}

/** Accounts that are written at once: as many as an import works on. */
const MOST_AT_ONCE = 256;

export const makeImportUsers = (kit: Kit) => {
  const { accounts, hasher, log, wake } = kit;
  const readLine = makeReadImport(kit);
  const additionOf = makeAdditionOf(kit);
  const appendAudit = makeAppendAudit(kit);
  const keyOf = makeKeyOf(kit);
  const keys = makeLoginKeys(kit);

  /**
   * Lines are worked on at once, so that what is to be added comes in at once, too. The audit rows go first: no account
   * is there without its rows, and none has to be written again once they are in the log.
   */
  const add = batched((given: readonly Addition[]) => {
    const rowsOf = new Map(given.map(({ account, rows }) => [account.id, rows]));
    return accounts.addAll(
      given.map(({ account }) => account),
      async (next) => {
        await Promise.all(next.flatMap(({ id }) => rowsOf.get(id) ?? []).map(appendAudit));
      },
    );
  }, MOST_AT_ONCE);

  /** Throws `invalid` (`invalid_line`) for an identity that opens another account. */
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

  return async (lines: Lines, options: ImportOptions, by: Operator): Promise<UserImportCounts> => {
    const who = acceptOperator(by);
    let dearer = 0;
    // A line that the store refused keeps its account and its rows, so that these are in the log once.
    const refused = new Map<number, Addition>();

    const importOne = async (user: ImportedUser, line: number): Promise<'added' | 'skipped'> => {
      await refuseBound(user);
      if (options.dryRun) return (await accounts.findByEmail(user.email)) === undefined ? 'added' : 'skipped';
      const addition = refused.get(line) ?? additionOf(user, who);
      refused.set(line, addition);
      const isAdded = await add(addition);
      refused.delete(line);
      return isAdded ? 'added' : 'skipped';
    };

    const counts = await importLines(lines, options, async (text, line) => {
      const user = readLine(text);
      const outcome = await importOne(user, line);
      const isDearer = user.passwordHash !== null && hasher.isDearer(user.passwordHash);
      if (outcome === 'added' && isDearer) dearer += 1;
      return outcome;
    });
    if (!options.dryRun) {
      log.info('operator.acted', { reason: 'users.imported', count: counts.added });
      wake();
    }
    return { ...counts, dearer };
  };
};

/** The account of an imported user, and its audit rows. */
interface Addition {
  readonly account: Account;
  readonly rows: readonly AuditEntry[];
}

/** The tier of an imported user is an operator's grant. */
const makeAdditionOf = (kit: Kit) => {
  const { clock, entries, newId } = kit;
  const entitle = makeEntitle(kit);

  const entitled = (account: Account, tier: string | null, by: AcceptedOperator): Account => {
    // Free is what everybody has: granted, it would stand above what they buy.
    if (tier === null || tier === FREE.tier) return account;
    const who = { authority: { kind: 'internal' }, ...by } as const;
    return entitle(account, { service: SERVICE, tier }, who, by.caller).next ?? account;
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
    const told = [
      ...createdEvents(kit, { id: base.id, verified }),
      ...(banned === null ? [] : [entries.event('user.banned', base.id)]),
    ];
    const filled = { ...base, verified, avatar, oauthAccounts, banned, disabled, createdAt };
    const written = withPending(filled, row, ...told);
    const account = entitled(written, tier, by);
    return {
      account: { ...account, pending: account.pending.filter(({ kind }) => kind !== 'audit') },
      rows: account.pending.filter((entry) => entry.kind === 'audit'),
    };
  };
};
