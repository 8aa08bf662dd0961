// Tables of an SQL database, or collections of MongoDB.

/** Empty after a first start. */
export const EMPTY_AT_FIRST = [
  'accounts',
  'files',
  'domains',
  'billing_events',
  'billing_customers',
  'outbox',
  'webhooks',
] as const;

/** A first start may have filled them. */
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
