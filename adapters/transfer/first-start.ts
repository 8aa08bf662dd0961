// Tables of an SQL database, or collections of MongoDB.

/** Empty after a first start: a record in any of them shows that the store is in use. */
export const EMPTY_AT_FIRST = [
  'accounts',
  'files',
  'domains',
  'billing_events',
  'billing_customers',
  'outbox',
  'webhooks',
] as const;

/** A first start, or visitors without an account, may have filled these: an import empties them before it begins. */
export const FILLED_AT_FIRST = [
  'audit',
  'audit_head',
  'tries',
  'rates',
  'login_keys',
  'flows',
  'statistics',
  'findings',
] as const;
