/**
 * The schema, one step per version (`PRAGMA user_version`). Steps that were released are never edited; a change is a
 * new step at the end. Columns beside `doc` are copies out of it that queries need.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    email TEXT UNIQUE,
    unverified_since INTEGER,
    pending INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    tier TEXT NOT NULL,
    premium INTEGER NOT NULL,
    verified INTEGER NOT NULL,
    two_factor INTEGER NOT NULL,
    banned_until INTEGER NOT NULL,
    disabled_until INTEGER NOT NULL,
    doc TEXT NOT NULL
  ) STRICT;
  CREATE INDEX accounts_listed ON accounts (created_at DESC, id DESC) WHERE email IS NOT NULL;
  -- With all that is counted, and the email for the sake of the condition: SQLite would look it up for every row.
  CREATE INDEX accounts_by_tier
    ON accounts (
      tier, created_at DESC, id DESC, premium, verified, two_factor, banned_until, disabled_until, email
    ) WHERE email IS NOT NULL;
  CREATE INDEX accounts_unverified ON accounts (unverified_since, id) WHERE unverified_since IS NOT NULL;
  CREATE INDEX accounts_pending ON accounts (id) WHERE pending = 1;

  CREATE TABLE sessions (
    user_id TEXT NOT NULL,
    id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    refresh_digest TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at INTEGER,
    doc TEXT NOT NULL,
    PRIMARY KEY (user_id, id)
  ) STRICT;
  CREATE INDEX sessions_open ON sessions (user_id, created_at, id) WHERE ended_at IS NULL;
  CREATE INDEX sessions_expiring ON sessions (expires_at) WHERE ended_at IS NULL;
  CREATE INDEX sessions_ended ON sessions (ended_at, id) WHERE ended_at IS NOT NULL;

  CREATE TABLE tries (
    key TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tries_ending ON tries (ends_at);

  CREATE TABLE outbox (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    address TEXT NOT NULL,
    template TEXT NOT NULL,
    at INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    dead_at INTEGER,
    last_failure TEXT,
    fence INTEGER NOT NULL,
    doc TEXT NOT NULL
  ) STRICT;
  CREATE INDEX outbox_due ON outbox (due_at, address) WHERE dead_at IS NULL;
  CREATE INDEX outbox_address ON outbox (address, at, id) WHERE dead_at IS NULL;
  CREATE INDEX outbox_user ON outbox (user_id);

  CREATE TABLE domains (
    domain TEXT PRIMARY KEY,
    revision TEXT NOT NULL,
    look_at INTEGER NOT NULL,
    doc TEXT NOT NULL
  ) STRICT;
  CREATE INDEX domains_due ON domains (look_at, domain);

  CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    entry_id TEXT NOT NULL UNIQUE,
    target TEXT NOT NULL,
    actor TEXT NOT NULL,
    content TEXT,
    salt TEXT,
    digest TEXT NOT NULL,
    value TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_target ON audit (target);
  CREATE INDEX audit_actor ON audit (actor);

  CREATE TABLE audit_head (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    number INTEGER NOT NULL,
    value TEXT NOT NULL,
    signature TEXT NOT NULL
  ) STRICT;

  CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT,
    fence INTEGER NOT NULL,
    ends_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Whether a secret in it is sealed by the KMS.
  ALTER TABLE accounts ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;
  UPDATE accounts SET sealed = 1 WHERE doc ->> '$.twoFactor' IS NOT NULL OR doc ->> '$.twoFactorSetup' IS NOT NULL;
  CREATE INDEX accounts_sealed ON accounts (id) WHERE sealed = 1;

  CREATE TABLE files (
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL,
    uploaded_at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    key_id TEXT,
    removed INTEGER NOT NULL DEFAULT 0,
    accesses INTEGER NOT NULL DEFAULT 0,
    accessed_at INTEGER NOT NULL DEFAULT 0,
    entry TEXT NOT NULL
  ) STRICT;
  CREATE INDEX files_listed ON files (user_id, uploaded_at DESC, id DESC, bytes) WHERE removed = 0;
  CREATE INDEX files_active ON files (user_id, accesses DESC, accessed_at DESC, id, bytes)
    WHERE removed = 0 AND accesses > 0;
  CREATE INDEX files_by_key ON files (key_id, id) WHERE removed = 0;
  CREATE INDEX files_removed ON files (id) WHERE removed = 1;

  CREATE TABLE cache_epoch (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    number INTEGER NOT NULL
  ) STRICT;
  INSERT INTO cache_epoch (one, number) VALUES (1, 1);
  `,
  `
  -- Which domains an account gave up, and when it first claimed the one it has.
  UPDATE accounts SET doc = json_set(doc, '$.formerDomains', json('[]')) WHERE doc -> '$.formerDomains' IS NULL;
  UPDATE accounts SET doc = json_set(doc, '$.customDomain.claimedAt', doc -> '$.updatedAt')
  WHERE doc ->> '$.customDomain' IS NOT NULL AND doc -> '$.customDomain.claimedAt' IS NULL;
  `,
  `
  -- When a mail was told to wait.
  ALTER TABLE outbox ADD COLUMN waits_from INTEGER NOT NULL DEFAULT 0;
  UPDATE outbox SET waits_from = at;
  CREATE INDEX outbox_waiting ON outbox (waits_from, address) WHERE dead_at IS NULL;
  `,
  `
  -- Whether claims of the user's own were counted for tier and premium: 2 where there are some and nobody knows.
  ALTER TABLE accounts ADD COLUMN claims_counted INTEGER;
  UPDATE accounts SET doc = json_set(doc, '$.claimsCounted', NULL) WHERE doc -> '$.claimsCounted' IS NULL;
  UPDATE accounts SET claims_counted = 2 WHERE EXISTS (
    SELECT 1 FROM json_each(doc, '$.entitlements') WHERE value ->> '$.claim' IS NOT NULL
  );
  CREATE INDEX accounts_claiming ON accounts (claims_counted) WHERE claims_counted IS NOT NULL;
  `,
  `
  -- What billing knows of an account, and when to look at it again.
  ALTER TABLE accounts ADD COLUMN billed INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE accounts ADD COLUMN billing_due_at INTEGER;
  UPDATE accounts SET doc = json_set(doc, '$.billing', NULL, '$.billingDueAt', NULL)
  WHERE doc -> '$.billing' IS NULL;
  CREATE INDEX accounts_billed ON accounts (id) WHERE billed = 1;
  CREATE INDEX accounts_billing_due ON accounts (billing_due_at, id) WHERE billing_due_at IS NOT NULL;

  CREATE TABLE billing_events (
    id TEXT PRIMARY KEY,
    standing TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    customer_id TEXT,
    user_id TEXT,
    last_failure TEXT,
    body TEXT
  ) STRICT;
  CREATE INDEX billing_events_due ON billing_events (due_at, id) WHERE standing = 'pending';
  CREATE INDEX billing_events_waiting ON billing_events (customer_id) WHERE standing = 'waiting';
  CREATE INDEX billing_events_user ON billing_events (user_id) WHERE user_id IS NOT NULL;
  CREATE INDEX billing_events_kept ON billing_events (received_at) WHERE standing IN ('applied', 'ignored');
  CREATE INDEX billing_events_standing ON billing_events (standing);

  CREATE TABLE billing_customers (
    customer_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL
  ) STRICT;
  CREATE INDEX billing_customers_user ON billing_customers (user_id);

  CREATE TABLE rates (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    doc TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- How far an import of a whole installation has come.
  CREATE TABLE imports (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL,
    lines INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- Every event that is not pending goes after a time.
  DROP INDEX billing_events_kept;
  CREATE INDEX billing_events_kept ON billing_events (received_at) WHERE standing <> 'pending';
  `,
  `
  -- Who is an operator, and lists of accounts by what is the matter with them, in the order of lists.
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
  -- Those due are found in their order, those of a customer without a look at all; counts by standing go by the first.
  DROP INDEX billing_events_due;
  DROP INDEX billing_events_standing;
  DROP INDEX billing_events_waiting;
  CREATE INDEX billing_events_due ON billing_events (standing, due_at, id);
  CREATE INDEX billing_events_customer ON billing_events (customer_id, standing) WHERE customer_id IS NOT NULL;
  `,
  `
  -- The last batches of counted reads: one whose answer was lost is given again.
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

  -- By key, '' where the wrapping is not ours. Sizes in two parts: many great ones have a sum beyond 64 bits.
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

  -- Lists alone are left to these, with the email for the sake of the condition: without it each row is looked up.
  DROP INDEX accounts_listed;
  DROP INDEX accounts_by_tier;
  CREATE INDEX accounts_listed ON accounts (created_at DESC, id DESC, email) WHERE email IS NOT NULL;
  CREATE INDEX accounts_by_tier ON accounts (tier, created_at DESC, id DESC, email) WHERE email IS NOT NULL;
  `,
  `
  -- Refresh tokens used lately in place of the last one alone; when and how the owner proved who they are.
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
];
