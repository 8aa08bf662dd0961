import { releasedMigrations } from './released-migrations.ts';

/**
 * The lane in which a row is counted. A recount goes through the rows by id (table `recounts`, decision 0026): rows up to
 * `counted_to` count in the new generation, the others in the old one. Lane 0 is of one generation, lane 16 of the other.
 */
const laneOf = (table: string, row: 'new' | 'old'): string =>
  `ifnull((SELECT 16 * CASE WHEN ${row}.id <= counted_to THEN generation ELSE 1 - generation END
      FROM recounts WHERE name = '${table}'), 0)`;
const countAccount = (row: 'new' | 'old', sign: 1 | -1): string => `
    INSERT INTO account_counts
    SELECT ${laneOf('accounts', row)}, ${row}.tier, ${row}.premium, ${row}.verified, ${row}.two_factor, ${sign}
    WHERE ${row}.email IS NOT NULL
    ON CONFLICT DO UPDATE SET accounts = accounts + excluded.accounts`;
const countFile = (row: 'new' | 'old', sign: 1 | -1): string => `
    INSERT INTO file_counts
    SELECT ${laneOf('files', row)}, ifnull(${row}.key_id, ''), ${sign}, ${sign} * (${row}.size >> 32),
      ${sign} * (${row}.size & 0xffffffff)
    WHERE ${row}.removed = 0
    ON CONFLICT DO UPDATE SET
      files = files + excluded.files, sizes_high = sizes_high + excluded.sizes_high,
      sizes_low = sizes_low + excluded.sizes_low`;

/**
 * The schema, one step per version (`PRAGMA user_version`). Steps that were released are never edited; a change is a
 * new step at the end. Columns beside `doc` hold copies from it that queries need.
 */
export const migrations: readonly string[] = [
  ...releasedMigrations,
  `
  -- Which accounts are operators; indexes for lists of operators and of banned, disabled and unverified accounts, newest first.
  ALTER TABLE accounts ADD COLUMN operator INTEGER NOT NULL DEFAULT 0;
  UPDATE accounts SET operator = 1 WHERE EXISTS (
    SELECT 1 FROM json_each(doc, '$.entitlements')
    WHERE value -> '$.accessFlags.isOperatorTeam' = 'true'
      AND value ->> '$.accessFlags.operatorTeamRole' IN ('founder', 'dev')
  );
  CREATE INDEX accounts_operators ON accounts (created_at DESC, id DESC) WHERE operator = 1;
  CREATE INDEX accounts_banned ON accounts (created_at DESC, id DESC, banned_until) WHERE banned_until > 0;
  CREATE INDEX accounts_disabled ON accounts (created_at DESC, id DESC, disabled_until) WHERE disabled_until > 0;
  CREATE INDEX accounts_unverified_listed ON accounts (created_at DESC, id DESC)
    WHERE unverified_since IS NOT NULL;
  `,
  `
  -- The first index finds deliveries that are due, in their order, and counts them by standing. The second finds a customer's.
  DROP INDEX billing_events_due;
  DROP INDEX billing_events_standing;
  DROP INDEX billing_events_waiting;
  CREATE INDEX billing_events_due ON billing_events (standing, due_at, id);
  CREATE INDEX billing_events_customer ON billing_events (customer_id, standing) WHERE customer_id IS NOT NULL;
  `,
  `
  -- The last batches of counted reads: a batch whose answer was lost is sent again, and must not be counted twice.
  CREATE TABLE counted_batches (
    number INTEGER PRIMARY KEY,
    mark TEXT NOT NULL UNIQUE
  ) STRICT;
  `,
  `
  -- Counts that the writes themselves keep, so that nobody has to count rows.
  CREATE TABLE account_counts (
    tier TEXT NOT NULL,
    premium INTEGER NOT NULL,
    verified INTEGER NOT NULL,
    two_factor INTEGER NOT NULL,
    accounts INTEGER NOT NULL,
    PRIMARY KEY (tier, premium, verified, two_factor)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO account_counts
  SELECT tier, premium, verified, two_factor, count(*) FROM accounts WHERE email IS NOT NULL GROUP BY 1, 2, 3, 4;
  CREATE TRIGGER accounts_added AFTER INSERT ON accounts WHEN new.email IS NOT NULL BEGIN
    INSERT INTO account_counts SELECT new.tier, new.premium, new.verified, new.two_factor, 1 WHERE true
    ON CONFLICT DO UPDATE SET accounts = accounts + 1;
  END;
  CREATE TRIGGER accounts_removed AFTER DELETE ON accounts WHEN old.email IS NOT NULL BEGIN
    UPDATE account_counts SET accounts = accounts - 1
    WHERE (tier, premium, verified, two_factor) = (old.tier, old.premium, old.verified, old.two_factor);
  END;
  CREATE TRIGGER accounts_changed AFTER UPDATE OF email, tier, premium, verified, two_factor ON accounts
  WHEN (old.email IS NULL, old.tier, old.premium, old.verified, old.two_factor)
    <> (new.email IS NULL, new.tier, new.premium, new.verified, new.two_factor) BEGIN
    UPDATE account_counts SET accounts = accounts - 1
    WHERE old.email IS NOT NULL
      AND (tier, premium, verified, two_factor) = (old.tier, old.premium, old.verified, old.two_factor);
    INSERT INTO account_counts SELECT new.tier, new.premium, new.verified, new.two_factor, 1
    WHERE new.email IS NOT NULL
    ON CONFLICT DO UPDATE SET accounts = accounts + 1;
  END;

  -- By master key, '' for wrapped keys of an unknown format. Sizes in two parts: the sum of large sizes may exceed 64 bits.
  CREATE TABLE file_counts (
    key_id TEXT NOT NULL PRIMARY KEY,
    files INTEGER NOT NULL,
    sizes_high INTEGER NOT NULL,
    sizes_low INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO file_counts
  SELECT ifnull(key_id, ''), count(*), sum(size >> 32), sum(size & 0xffffffff) FROM files WHERE removed = 0 GROUP BY 1;
  CREATE TRIGGER files_added AFTER INSERT ON files WHEN new.removed = 0 BEGIN
    INSERT INTO file_counts SELECT ifnull(new.key_id, ''), 1, new.size >> 32, new.size & 0xffffffff WHERE true
    ON CONFLICT DO UPDATE SET
      files = files + 1, sizes_high = sizes_high + excluded.sizes_high, sizes_low = sizes_low + excluded.sizes_low;
  END;
  CREATE TRIGGER files_purged AFTER DELETE ON files WHEN old.removed = 0 BEGIN
    UPDATE file_counts SET
      files = files - 1, sizes_high = sizes_high - (old.size >> 32), sizes_low = sizes_low - (old.size & 0xffffffff)
    WHERE key_id = ifnull(old.key_id, '');
  END;
  CREATE TRIGGER files_changed AFTER UPDATE OF removed, key_id, size ON files
  WHEN (old.removed, ifnull(old.key_id, ''), old.size) <> (new.removed, ifnull(new.key_id, ''), new.size) BEGIN
    UPDATE file_counts SET
      files = files - 1, sizes_high = sizes_high - (old.size >> 32), sizes_low = sizes_low - (old.size & 0xffffffff)
    WHERE old.removed = 0 AND key_id = ifnull(old.key_id, '');
    INSERT INTO file_counts SELECT ifnull(new.key_id, ''), 1, new.size >> 32, new.size & 0xffffffff
    WHERE new.removed = 0
    ON CONFLICT DO UPDATE SET
      files = files + 1, sizes_high = sizes_high + excluded.sizes_high, sizes_low = sizes_low + excluded.sizes_low;
  END;

  -- These indexes now serve lists only. They hold the email for the condition: otherwise SQLite would look up each row.
  DROP INDEX accounts_listed;
  DROP INDEX accounts_by_tier;
  CREATE INDEX accounts_listed ON accounts (created_at DESC, id DESC, email) WHERE email IS NOT NULL;
  CREATE INDEX accounts_by_tier ON accounts (tier, created_at DESC, id DESC, email) WHERE email IS NOT NULL;
  `,
  `
  -- Several recently used refresh tokens instead of only the last one; when and how the owner last proved their identity.
  UPDATE sessions SET doc = json_remove(
    json_set(
      doc,
      '$.usedTokens', CASE WHEN doc ->> '$.rotatedAt' IS NULL THEN json('[]') ELSE json_array(
        json_object('digest', doc ->> '$.previousDigest', 'at', doc ->> '$.rotatedAt')) END,
      '$.tokensFrom', NULL, '$.authenticatedAt', created_at, '$.methods', json('[]')),
    '$.previousDigest', '$.rotatedAt', '$.earlierRotatedAt');
  -- Which session began the setup of a second factor.
  UPDATE accounts SET doc = json_set(doc, '$.twoFactorSetupBy', NULL);
  `,
  `
  -- The record as an item of a list. The first list fills it in for earlier records: a million would take 10 s here.
  ALTER TABLE files ADD COLUMN item TEXT;
  `,
  `
  -- Events on their way to other servers, as mails are in the outbox.
  CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    address TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    at INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    waits_from INTEGER NOT NULL,
    dead_at INTEGER,
    last_failure TEXT,
    fence INTEGER NOT NULL,
    doc TEXT NOT NULL
  ) STRICT;
  CREATE INDEX webhooks_due ON webhooks (endpoint, due_at, address) WHERE dead_at IS NULL;
  CREATE INDEX webhooks_waiting ON webhooks (endpoint, waits_from, address) WHERE dead_at IS NULL;
  CREATE INDEX webhooks_address ON webhooks (address, at, id) WHERE dead_at IS NULL;
  `,
  `
  -- Former emails to which accounts can return, to find the accounts by them. Triggers maintain the table.
  ALTER TABLE accounts ADD COLUMN former_emails TEXT;
  CREATE TABLE former_emails (
    email TEXT NOT NULL,
    user_id TEXT NOT NULL,
    PRIMARY KEY (email, user_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX former_emails_user ON former_emails (user_id);
  CREATE TRIGGER former_emails_added AFTER INSERT ON accounts WHEN new.former_emails IS NOT NULL BEGIN
    INSERT INTO former_emails SELECT value, new.id FROM json_each(new.former_emails);
  END;
  CREATE TRIGGER former_emails_removed AFTER DELETE ON accounts WHEN old.former_emails IS NOT NULL BEGIN
    DELETE FROM former_emails WHERE user_id = old.id;
  END;
  CREATE TRIGGER former_emails_changed AFTER UPDATE OF former_emails ON accounts
  WHEN old.former_emails IS NOT new.former_emails BEGIN
    DELETE FROM former_emails WHERE user_id = old.id;
    INSERT INTO former_emails SELECT value, new.id FROM json_each(new.former_emails);
  END;
  `,
  `
  -- Owners of login keys, which the accounts name as well. Sign-in flows, and records of used single-use values.
  CREATE TABLE login_keys (
    key TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    mark TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE flows (
    id TEXT NOT NULL PRIMARY KEY,
    stage TEXT NOT NULL,
    code_digest TEXT,
    content TEXT,
    expires_at INTEGER NOT NULL,
    kept_until INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX flows_ending ON flows (kept_until);
  `,
  `
  -- Further lists of accounts, in the order of lists.
  CREATE INDEX accounts_two_factor ON accounts (created_at DESC, id DESC) WHERE two_factor = 1;
  CREATE INDEX accounts_premium ON accounts (created_at DESC, id DESC) WHERE premium = 1;
  `,
  `
  -- Lists of mails by state, and of deliveries, the newest first.
  ALTER TABLE outbox ADD COLUMN state TEXT NOT NULL GENERATED ALWAYS AS (
    CASE WHEN dead_at IS NOT NULL THEN 'dead' WHEN tries > 0 THEN 'failing' ELSE 'waiting' END
  ) VIRTUAL;
  CREATE INDEX outbox_states ON outbox (state, id);
  DROP INDEX billing_events_user;
  DROP INDEX billing_events_kept;
  CREATE INDEX billing_events_user ON billing_events (user_id, received_at, id) WHERE user_id IS NOT NULL;
  CREATE INDEX billing_events_received ON billing_events (received_at, id, standing);
  CREATE INDEX billing_events_standing ON billing_events (standing, received_at, id);
  `,
  `
  -- Statistics of each UTC day, results of background jobs, and the time of a job's last success.
  CREATE TABLE statistics (
    day TEXT NOT NULL PRIMARY KEY,
    doc TEXT,
    mail_waiting_most INTEGER NOT NULL DEFAULT 0,
    cache_hits INTEGER NOT NULL DEFAULT 0,
    cache_misses INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE findings (
    name TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    doc TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE leases ADD COLUMN last_success_at INTEGER;
  `,
  `
  -- How far the rows of a table have been counted anew: up to this id, into the counts of this generation (decision 0026).
  CREATE TABLE recounts (
    name TEXT NOT NULL PRIMARY KEY,
    counted_to TEXT NOT NULL,
    generation INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  DROP TRIGGER accounts_added;
  DROP TRIGGER accounts_removed;
  DROP TRIGGER accounts_changed;
  DROP TRIGGER files_added;
  DROP TRIGGER files_purged;
  DROP TRIGGER files_changed;
  ALTER TABLE account_counts RENAME TO former_account_counts;
  ALTER TABLE file_counts RENAME TO former_file_counts;
  CREATE TABLE account_counts (
    lane INTEGER NOT NULL,
    tier TEXT NOT NULL,
    premium INTEGER NOT NULL,
    verified INTEGER NOT NULL,
    two_factor INTEGER NOT NULL,
    accounts INTEGER NOT NULL,
    PRIMARY KEY (tier, premium, verified, two_factor, lane)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE file_counts (
    lane INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    files INTEGER NOT NULL,
    sizes_high INTEGER NOT NULL,
    sizes_low INTEGER NOT NULL,
    PRIMARY KEY (key_id, lane)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO account_counts SELECT 0, tier, premium, verified, two_factor, accounts FROM former_account_counts;
  INSERT INTO file_counts SELECT 0, key_id, files, sizes_high, sizes_low FROM former_file_counts;
  DROP TABLE former_account_counts;
  DROP TABLE former_file_counts;
  CREATE TRIGGER accounts_added AFTER INSERT ON accounts WHEN new.email IS NOT NULL BEGIN
    ${countAccount('new', 1)};
  END;
  CREATE TRIGGER accounts_removed AFTER DELETE ON accounts WHEN old.email IS NOT NULL BEGIN
    ${countAccount('old', -1)};
  END;
  CREATE TRIGGER accounts_changed AFTER UPDATE OF email, tier, premium, verified, two_factor ON accounts
  WHEN (old.email IS NULL, old.tier, old.premium, old.verified, old.two_factor)
    <> (new.email IS NULL, new.tier, new.premium, new.verified, new.two_factor) BEGIN
    ${countAccount('old', -1)};
    ${countAccount('new', 1)};
  END;
  CREATE TRIGGER files_added AFTER INSERT ON files WHEN new.removed = 0 BEGIN
    ${countFile('new', 1)};
  END;
  CREATE TRIGGER files_purged AFTER DELETE ON files WHEN old.removed = 0 BEGIN
    ${countFile('old', -1)};
  END;
  CREATE TRIGGER files_changed AFTER UPDATE OF removed, key_id, size ON files
  WHEN (old.removed, ifnull(old.key_id, ''), old.size) <> (new.removed, ifnull(new.key_id, ''), new.size) BEGIN
    ${countFile('old', -1)};
    ${countFile('new', 1)};
  END;
  `,
];
