import type { StoreUsage } from '../../core/accounts/ports.ts';
import { USE } from '../moving/hold.ts';
import type { MongoDatabase } from './engine/client.ts';

/** Collections that have documents once the store is in use. */
const USED = [
  'emails',
  'sessions',
  'outbox',
  'webhooks',
  'domains',
  'login_keys',
  'flows',
  'tries',
  'files',
  'objects',
  'avatars.files',
  'avatars.chunks',
  'billing_events',
  'billing_customers',
  'statistics',
  'findings',
] as const;

/** Looks for signs of use in everything but the audit log. */
export const findUsage = async ({ call, collection }: MongoDatabase): Promise<StoreUsage> => {
  const holds = async (name: string, filter: object = {}): Promise<boolean> =>
    (await call(() => collection(name).findOne(filter, { projection: { _id: 1 } }))) !== null;
  const accounts = collection<{ readonly _id: string }>('accounts');
  const least = { sort: { _id: 1 }, projection: { _id: 1 } } as const;
  const [first, ...used] = await Promise.all([
    call(() => accounts.findOne({}, least)),
    // Leases are never deleted. They show that a server has worked on the store even if all else is gone.
    holds('leases', { _id: { $ne: USE } }),
    ...USED.map((name) => holds(name)),
  ]);
  return { inUse: first !== null || used.includes(true), firstAccount: first?._id ?? null };
};
