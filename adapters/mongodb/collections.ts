import type { Indexes } from './engine/indexes.ts';

const DAY_SECONDS = 86_400;

/** Lower than every time, so that a comparison matches every time but not null. */
export const BEFORE_ALL_TIMES = Number.MIN_SAFE_INTEGER;

/** The order of the lists of accounts. The keys of their indexes end with it, or with one more field, which a filter compares. */
const BY_TIME = { 'account.createdAt': -1, _id: -1 } as const;

const BY_ADDRESS = { name: 'address', keys: { 'mail.to': 1, deadAt: 1, 'mail.at': 1, _id: 1 } } as const;

/** The collections of records, with all their indexes but the one on `_id`. */
export const indexes = {
  accounts: [
    { name: 'listed', keys: { listed: 1, ...BY_TIME }, where: { listed: true } },
    {
      name: 'listed_by_tier',
      keys: { listed: 1, 'account.access.tier': 1, ...BY_TIME },
      where: { listed: true },
    },
    // Covers all counts, so that they read no account, and contains the id, so that they run in pages.
    {
      name: 'tallied',
      keys: {
        listed: 1,
        _id: 1,
        'account.access.tier': 1,
        'account.access.isPremium': 1,
        'account.verified': 1,
        hasTwoFactor: 1,
        bannedUntil: 1,
        disabledUntil: 1,
      },
      where: { listed: true },
    },
    // This index and those up to `listed_by_premium` hold only the accounts of one list each. The indexes of bans and disablements
    // also hold accounts whose ban or disablement has ended.
    { name: 'operators', keys: { isOperator: 1, ...BY_TIME }, where: { isOperator: true } },
    {
      name: 'listed_by_ban',
      keys: { listed: 1, ...BY_TIME, bannedUntil: 1 },
      where: { bannedUntil: { $gt: 0 } },
    },
    {
      name: 'listed_by_disablement',
      keys: { listed: 1, ...BY_TIME, disabledUntil: 1 },
      where: { disabledUntil: { $gt: 0 } },
    },
    {
      name: 'listed_by_two_factor',
      keys: { listed: 1, ...BY_TIME, hasTwoFactor: 1 },
      where: { hasTwoFactor: true },
    },
    {
      name: 'listed_by_premium',
      keys: { listed: 1, ...BY_TIME, 'account.access.isPremium': 1 },
      where: { 'account.access.isPremium': true },
    },
    {
      name: 'listed_by_verified',
      keys: { listed: 1, 'account.verified': 1, ...BY_TIME },
      where: { listed: true },
    },
    { name: 'email', keys: { email: 1 } },
    { name: 'former_email', keys: { formerEmails: 1, _id: 1 }, where: { formerEmails: { $exists: true } } },
    { name: 'pending', keys: { isPending: 1, _id: 1 }, where: { isPending: true } },
    { name: 'sealed', keys: { isSealed: 1, _id: 1 }, where: { isSealed: true } },
    { name: 'claiming', keys: { claimsCounted: 1 } },
    { name: 'billed', keys: { isBilled: 1, _id: 1 }, where: { isBilled: true } },
    { name: 'billing_due', keys: { billingDueAt: 1, _id: 1 } },
    { name: 'unverified', keys: { unverifiedSince: 1, _id: 1 } },
    // Deletes no account: a document with `barredAt` only keeps its id from being inserted.
    { name: 'barred', keys: { barredAt: 1 }, expireAfterSeconds: DAY_SECONDS },
  ],
  emails: [{ name: 'user', keys: { userId: 1 } }],
  sessions: [
    { name: 'of_user', keys: { userId: 1, order: -1, _id: -1 } },
    { name: 'expiring', keys: { isOpen: 1, expiresAt: 1 }, where: { isOpen: true } },
    { name: 'ended', keys: { isOpen: 1, 'session.endedAt': 1, _id: 1 }, where: { isOpen: false } },
  ],
  tries: [{ name: 'ending', keys: { endsAt: 1 } }],
  domains: [
    { name: 'due', keys: { 'record.lookAt': 1, _id: 1 } },
    { name: 'removed', keys: { removedAt: 1 }, expireAfterSeconds: DAY_SECONDS },
  ],
  login_keys: [],
  // The TTL index deletes what no sweep has deleted: a day later, since the clocks of servers differ, but by less than a day.
  flows: [{ name: 'ending', keys: { keptUntil: 1 }, expireAfterSeconds: DAY_SECONDS }],
  outbox: [
    { name: 'due', keys: { deadAt: 1, dueAt: 1, 'mail.to': 1 } },
    { name: 'waiting', keys: { deadAt: 1, waitsFrom: 1, 'mail.to': 1 } },
    BY_ADDRESS,
    { name: 'user', keys: { userId: 1, _id: 1 } },
    { name: 'untried', keys: { deadAt: 1, tries: 1, _id: 1 } },
    { name: 'failing', keys: { deadAt: 1, _id: 1 }, where: { tries: { $gt: 0 } } },
    { name: 'dead', keys: { _id: 1, deadAt: 1 }, where: { deadAt: { $gt: BEFORE_ALL_TIMES } } },
  ],
  webhooks: [
    { name: 'due', keys: { 'mail.endpoint': 1, deadAt: 1, dueAt: 1, 'mail.to': 1 } },
    { name: 'waiting', keys: { 'mail.endpoint': 1, deadAt: 1, waitsFrom: 1, 'mail.to': 1 } },
    BY_ADDRESS,
  ],
  audit: [
    { name: 'target', keys: { 'rows.target': 1, _id: 1 } },
    { name: 'actor', keys: { 'rows.actor': 1, _id: 1 } },
    { name: 'entry', keys: { 'rows.entryId': 1 } },
    { name: 'head', keys: { 'head.number': 1 }, where: { 'head.number': { $exists: true } } },
  ],
  audit_head: [],
  files: [
    // Removed records stay while the cache is down. Lists and deletions of existing records must not scan them.
    { name: 'standing', keys: { user: 1, removed: 1, uploadedAt: -1, _id: -1 } },
    { name: 'active', keys: { user: 1, accesses: -1, accessedAt: -1, _id: 1 } },
    // Covers totals and counts by key, which run in pages.
    { name: 'sealed_by', keys: { removed: 1, keyId: 1, _id: 1, size: 1 } },
    { name: 'removed', keys: { uncached: 1, write: 1 }, where: { removed: true } },
  ],
  objects: [],
  // GridFS looks for indexes with these keys.
  'avatars.files': [{ name: 'filename_1_uploadDate_1', keys: { filename: 1, uploadDate: 1 } }],
  'avatars.chunks': [{ name: 'files_id_1_n_1', keys: { files_id: 1, n: 1 }, unique: true }],
  billing_events: [
    { name: 'due', keys: { standing: 1, dueAt: 1, _id: 1 } },
    { name: 'customer', keys: { customerId: 1, standing: 1 } },
    { name: 'received', keys: { receivedAt: 1, standing: 1 } },
    { name: 'newest', keys: { receivedAt: -1, _id: -1 } },
    { name: 'newest_of_standing', keys: { standing: 1, receivedAt: -1, _id: -1 } },
    { name: 'newest_of_user', keys: { userId: 1, receivedAt: -1, _id: -1 } },
  ],
  billing_customers: [{ name: 'user', keys: { userId: 1 } }],
  rates: [],
  leases: [],
  statistics: [],
  findings: [],
} satisfies Indexes;
