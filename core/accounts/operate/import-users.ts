import { type ImportCounts, type ImportOptions, importLines, type Lines } from '../../import-lines.ts';
import { type Account, newAccount } from '../account.ts';
import { makeAppendAudit } from '../audit.ts';
import { FREE, SERVICE } from '../entitlement.ts';
import { withPending } from '../entries.ts';
import type { Kit } from '../kit.ts';
import { makeEntitle } from '../services.ts';
import { together } from '../together.ts';
import { acceptOperator, type Operator } from './act.ts';
import { type ImportedUser, makeReadImport } from './read-import.ts';

export interface UserImportCounts extends ImportCounts {
  /** Of those added: the passwords whose hash takes longer than ours, until the next login, and so tells of itself. */
  readonly dearer: number;
}

/** Accounts that are written at once: as many as an import works on. */
const MOST_AT_ONCE = 256;

/**
 * Imports users, one JSON object a line (undefined for a line that cannot be read). Accounts that are there stay as
 * they are, so an import that was broken off is simply begun again. The memory it takes does not grow with its length.
 */
export const makeImportUsers = (kit: Kit) => {
  const { accounts, hasher, log, wake } = kit;
  const readLine = makeReadImport(kit);
  const accountOf = makeAccountOf(kit);
  const appendAudit = makeAppendAudit(kit);

  /** Moves on what can be at once. What fails is left to the relay. */
  const moveOn = async (added: readonly Account[]): Promise<void> => {
    const rows = added.flatMap(({ pending }) => pending.filter((entry) => entry.kind === 'audit'));
    await Promise.all(rows.map(appendAudit));
    await accounts.settleAudit(added);
  };

  /** Lines are worked on at once, so that what is to be added comes in at once, too. */
  const add = together(async (given: readonly Account[]) => {
    const outcomes = await accounts.addAll(given);
    const added = given.filter((_, place) => outcomes[place]);
    if (added.length > 0) await moveOn(added).catch((error) => log.warn('import.relay_left', { error }));
    return outcomes;
  }, MOST_AT_ONCE);

  const importOne = async (
    user: ImportedUser,
    by: Operator,
    dryRun: boolean,
  ): Promise<'added' | 'skipped'> => {
    const isNew = dryRun
      ? (await accounts.findByEmail(user.email)) === undefined
      : await add(accountOf(user, by));
    return isNew ? 'added' : 'skipped';
  };

  return async (lines: Lines, options: ImportOptions, by: Operator): Promise<UserImportCounts> => {
    const who = acceptOperator(by);
    let dearer = 0;
    const counts = await importLines(lines, options, async (line) => {
      const user = readLine(line);
      const outcome = await importOne(user, who, options.dryRun);
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

/** The account of an imported user, with its audit rows. The tier is an operator's grant. */
const makeAccountOf = (kit: Kit) => {
  const { clock, entries, newId } = kit;
  const entitle = makeEntitle(kit);

  return (user: ImportedUser, by: Operator): Account => {
    const { email, displayName, verified, passwordHash, avatar, oauthAccounts, tier, createdAt } = user;
    const base = newAccount({
      id: newId(),
      email,
      displayName,
      language: 'en',
      passwordHash,
      now: clock.now(),
    });
    const after = { verified, password: passwordHash !== null, oauthAccounts: oauthAccounts.length };
    const row = entries.audit({ action: 'user.imported', target: base.id, after, caller: null, ...by });
    const told = verified ? [entries.event('user.verified', base.id)] : [];
    const account = withPending({ ...base, verified, avatar, oauthAccounts, createdAt }, row, ...told);
    // Free is what everybody has: granted, it would stand above what they buy.
    if (tier === null || tier === FREE.tier) return account;
    const who = { authority: { kind: 'internal' }, ...by } as const;
    return entitle(account, { service: SERVICE, tier }, who, null).next ?? account;
  };
};
