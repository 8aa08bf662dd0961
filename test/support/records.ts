import { setTimeout as pause } from 'node:timers/promises';
import type { Account, AuditEntry } from '../../core/index.ts';
import { SHARED } from './composition.ts';
import type { TestService } from './service.ts';
import { openStorePorts } from './store-ports.ts';
import { until } from './until.ts';

/**
 * Milliseconds after which a service has forgotten what it read before a change by another process; its announcement may
 * come later than the next request. A service with the embedded store keeps no reads.
 */
const FORGOTTEN_WITHIN = process.env[SHARED.redis] === undefined ? 0 : 1_050;

/** What the store of a service holds, read and changed beside it as an operator would. */
const openRecords = ({ folder, clock }: Pick<TestService, 'folder' | 'clock'>) => {
  const { accounts, outbox, audit, close } = openStorePorts(folder);

  const accountOf = async (email: string): Promise<Account> => {
    const account = await accounts.findByEmail(email);
    if (account === undefined) throw new Error(`There is no account ${email}.`);
    return account;
  };

  return {
    accounts,
    accountOf,
    /** Writes so many members of an account anew, whoever else writes meanwhile. The service sees them from then on. */
    change: async (email: string, members: Partial<Account>): Promise<void> => {
      await until(async () => accounts.save({ ...(await accountOf(email)), ...members }));
      await pause(FORGOTTEN_WITHIN);
    },
    /** How many unverified accounts there are by this email: never more than one. */
    countUnverified: async (email: string): Promise<number> => {
      const all = await accounts.listWhere({ fact: 'unverified', before: clock.now() + 1_000 }, 100_000);
      return all.filter((account) => account.email === email).length;
    },
    /** Waits until every mail that was written is sent: what has not come by then never will. */
    allSent: () =>
      until(
        async () =>
          (await accounts.listWhere({ fact: 'pending', after: null }, 1)).length === 0 &&
          (await outbox.listDue(Number.MAX_SAFE_INTEGER, 1)).length === 0,
      ),
    /** What the audit log says about a user, erased rows left out. */
    auditAbout: async (userId: string): Promise<readonly Omit<AuditEntry, 'kind'>[]> =>
      (await audit.list(1, 100_000))
        .filter((row) => row.target === userId && row.content !== null)
        .map((row) => JSON.parse(row.content ?? '') as Omit<AuditEntry, 'kind'>),
    close,
  };
};

export type Records = ReturnType<typeof openRecords>;

/** The records of the suite's service, opened with the first use. */
export const useRecords = (service: () => TestService): (() => Records) => {
  let records: Records | undefined;
  after(() => records?.close());
  return () => {
    records ??= openRecords(service());
    return records;
  };
};
