import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SignedDelivery } from '../../core/billing/ports.ts';
import { unlessAbsent } from '../files/atomic-write.ts';
import { addSecretFile, changeSecretFile } from '../files/create-or-replace-secret-file.ts';

/** A subscription as the sandbox stores it. Times are epoch milliseconds. */
export interface SandboxSubscription {
  readonly id: string;
  readonly checkoutId: string;
  readonly productId: string;
  readonly status: 'incomplete' | 'active' | 'canceled';
  readonly createdAt: number;
  readonly modifiedAt: number | null;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly cancelAtPeriodEnd: boolean;
  readonly canceledAt: number | null;
  readonly endedAt: number | null;
}

/** The sandbox's record of one customer. */
export interface CustomerRecord {
  readonly customerId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string | null;
  readonly createdAt: number;
  /** Whether the event `customer.created` was made. The stored field keeps its earlier name. */
  readonly told: boolean;
  readonly subscriptions: readonly SandboxSubscription[];
  /** Events that billing may not have received yet, in order. Records of older versions have no list. */
  readonly events?: readonly SignedDelivery[];
}

export interface CustomerRecords {
  find(userId: string): Promise<CustomerRecord | undefined>;
  /** Finds the record of the customer, or creates it. */
  open(customer: Customer, now: number): Promise<CustomerRecord>;
  /** Changes a record, one change at a time. Undefined if there is no record. */
  change(
    userId: string,
    make: (record: CustomerRecord) => CustomerRecord,
  ): Promise<CustomerRecord | undefined>;
  remove(userId: string): Promise<void>;
}

type Customer = Pick<CustomerRecord, 'userId' | 'email' | 'name'>;

const newCustomerRecord = ({ userId, email, name }: Customer, now: number): CustomerRecord => ({
  customerId: randomUUID(),
  userId,
  email,
  name,
  createdAt: now,
  told: false,
  subscriptions: [],
});

/** The folder of the records in `DATA_DIR`. It is in no backup and in no export. */
export const sandboxFolder = (dataDir: string): string => join(dataDir, 'sandbox-billing');

const USER = /^[0-9a-f-]{36}$/;

/** One file for each customer in the folder, shared by all processes of the machine. */
export const makeCustomerRecords = (folder: string): CustomerRecords => {
  const fileOf = (userId: string): string => {
    if (!USER.test(userId)) throw new TypeError('Not a user id.');
    return join(folder, `${userId}.json`);
  };

  const find = async (userId: string): Promise<CustomerRecord | undefined> => {
    const text = await unlessAbsent(readFile(fileOf(userId), 'utf8'));
    return text === undefined ? undefined : (JSON.parse(text) as CustomerRecord);
  };

  return {
    find,
    open: async (customer, now) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const record = newCustomerRecord(customer, now);
      // An existing file stays as it is.
      await addSecretFile(fileOf(customer.userId), JSON.stringify(record));
      return (await find(customer.userId)) ?? record;
    },
    change: async (userId, make) => {
      const text = await unlessAbsent(
        changeSecretFile(fileOf(userId), (before) =>
          JSON.stringify(make(JSON.parse(before) as CustomerRecord)),
        ),
      );
      return text === undefined ? undefined : (JSON.parse(text) as CustomerRecord);
    },
    remove: (userId: string) => rm(fileOf(userId), { force: true }),
  };
};

/** Customer records in memory. */
export const makeMemoryCustomerRecords = (): CustomerRecords => {
  const records = new Map<string, CustomerRecord>();
  const put = (record: CustomerRecord): CustomerRecord => {
    records.set(record.userId, record);
    return record;
  };
  return {
    find: async (userId) => records.get(userId),
    open: async (customer, now) => records.get(customer.userId) ?? put(newCustomerRecord(customer, now)),
    change: async (userId, make) => {
      const record = records.get(userId);
      return record && put(make(record));
    },
    remove: async (userId) => {
      records.delete(userId);
    },
  };
};
