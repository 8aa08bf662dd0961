import { CoreError } from '../../errors.ts';
import { type Account, newAccount } from '../account.ts';
import { FREE, SERVICE } from '../entitlement.ts';
import { withPending } from '../entries.ts';
import type { Kit } from '../kit.ts';
import { makeEntitle } from '../services.ts';
import type { Operator } from './act.ts';
import { type ImportedUser, makeReadImport } from './read-import.ts';

export interface ImportCounts {
  readonly added: number;
  /** Their email has an account already. */
  readonly skipped: number;
  readonly bad: number;
}

export interface ImportOptions {
  /** Reads and checks everything, and writes nothing. */
  readonly dryRun: boolean;
  /** Hears of each line that is not imported; numbers begin at 1. */
  readonly onBad: (line: number, problem: string) => void;
  /** Hears how far it is, every few hundred lines. */
  readonly onProgress: (counts: ImportCounts) => void;
}

/** So many accounts are written at once; the store commits them together. */
const AT_ONCE = 256;

/**
 * Imports users, one JSON object a line (undefined for a line that cannot be read). Accounts that are there stay as
 * they are, so an import that was broken off is simply begun again. The memory it takes does not grow with its length.
 */
export const makeImportUsers = (kit: Kit) => {
  const { accounts, log, wake } = kit;
  const readLine = makeReadImport(kit);
  const accountOf = makeAccountOf(kit);

  const importOne = async (line: string, by: Operator, dryRun: boolean): Promise<'added' | 'skipped'> => {
    const user = readLine(line);
    if ((await accounts.findByEmail(user.email)) !== undefined) return 'skipped';
    return dryRun || (await accounts.add(accountOf(user, by))) ? 'added' : 'skipped';
  };

  return async (
    lines: AsyncIterable<string | undefined>,
    { dryRun, onBad, onProgress }: ImportOptions,
    by: Operator,
  ): Promise<ImportCounts> => {
    const counts = { added: 0, skipped: 0, bad: 0 };
    let number = 0;

    const take = async (line: string | undefined): Promise<'added' | 'skipped' | { problem: string }> => {
      if (line === undefined) return { problem: 'The line is too long or not UTF-8.' };
      try {
        return await importOne(line, by, dryRun);
      } catch (error) {
        if (error instanceof CoreError && error.kind === 'invalid') return { problem: error.message };
        throw error;
      }
    };

    const takeAll = async (some: readonly (readonly [number: number, line: string | undefined])[]) => {
      const outcomes = await Promise.all(some.map(([, line]) => take(line)));
      for (const [place, outcome] of outcomes.entries()) {
        if (typeof outcome === 'string') {
          counts[outcome] += 1;
        } else {
          counts.bad += 1;
          onBad(some[place]?.[0] ?? 0, outcome.problem);
        }
      }
      onProgress({ ...counts });
    };

    let some: (readonly [number, string | undefined])[] = [];
    for await (const line of lines) {
      number += 1;
      if (line?.trim() === '') continue;
      some.push([number, line]);
      if (some.length < AT_ONCE) continue;
      await takeAll(some);
      some = [];
    }
    await takeAll(some);
    if (!dryRun) {
      log.info('operator.acted', { reason: 'users.imported', count: counts.added });
      wake();
    }
    return counts;
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
    return entitle(account, { service: SERVICE, tier }, who, null).next;
  };
};
