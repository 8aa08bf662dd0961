import { setTimeout as pause } from 'node:timers/promises';
import type { Account, AuditEntry } from '../../core/index.ts';
import { SHARED } from './composition.ts';
import type { TestService } from './service.ts';
import { openStorePorts } from './store-ports.ts';
import { until } from './until.ts';

/**
 * The time after which a service no longer uses reads from before a change by another process; the announcement of the
 * change may arrive after the next request. A service with the embedded store does not cache reads.
 */
const STALE_FOR_MS = process.env[SHARED.redis] === undefined ? 0 : 1_050;

/** The store of a service, read and changed beside the service as an operator would. */
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
    /** Changes members of an account and retries on a conflict. The service sees the change afterwards. */
    change: async (email: string, members: Partial<Account>): Promise<void> => {
      await until(async () => accounts.save({ ...(await accountOf(email)), ...members }));
      await pause(STALE_FOR_MS);
    },
    /** The number of unverified accounts with this email: at most one. */
    countUnverified: async (email: string): Promise<number> => {
      const all = await accounts.listWhere({ fact: 'unverified', before: clock.now() + 1_000 }, 100_000);
      return all.filter((account) => account.email === email).length;
    },
    /** Waits until all mails are sent: no further mail will arrive. */
    allSent: () =>
      until(
        async () =>
          (await accounts.listWhere({ fact: 'pending', after: null }, 1)).length === 0 &&
          (await outbox.listDue(Number.MAX_SAFE_INTEGER, 1)).length === 0,
      ),
    /** The audit rows about a user, without erased rows. */
    auditAbout: async (userId: string): Promise<readonly Omit<AuditEntry, 'kind'>[]> =>
      (await audit.list(1, 100_000))
        .filter((row) => row.target === userId && row.content !== null)
        .map((row) => JSON.parse(row.content ?? '') as Omit<AuditEntry, 'kind'>),
    close,
  };
};

export type Records = ReturnType<typeof openRecords>;

/** The records of the suite's service, opened at the first use. */
export const useRecords = (service: () => TestService): (() => Records) => {
  let records: Records | undefined;
  after(() => records?.close());
  return () => {
    records ??= openRecords(service());
    return records;
  };
};
