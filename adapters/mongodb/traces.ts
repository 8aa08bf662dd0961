import type { StoreTraces } from '../../core/accounts/ports.ts';
import type { MongoDatabase } from './client.ts';

/**
 * Collections that hold something once the store is in use. Documents of leases stay for good, so they show that a server
 * was at work even where everything else is gone.
 */
const USED = [
  'leases',
  'emails',
  'sessions',
  'outbox',
  'domains',
  'tries',
  'files',
  'avatars.files',
  'billing_events',
  'billing_customers',
] as const;

/** What the database holds beside the audit log. */
export const findTraces = async ({ call, collection }: MongoDatabase): Promise<StoreTraces> => {
  const first = (name: string) =>
    call(() => collection<WithTextId>(name).find({}, FIRST).toArray()).then(([found]) => found?._id);
  const [firstAccount = null, ...others] = await Promise.all(['accounts', ...USED].map(first));
  const inUse = firstAccount !== null || others.some((id) => id !== undefined);
  return { inUse, firstAccount };
};

const FIRST = { sort: { _id: 1 }, limit: 1, projection: { _id: 1 } } as const;

interface WithTextId {
  readonly _id: string;
}
