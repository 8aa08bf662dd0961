/** The steps to the schema of 0.1.0; never edited. */
export const releasedMigrations: readonly string[] = [
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
  -- Has all columns that are counted, and the email for the condition: otherwise SQLite would look up each row.
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
  -- Whether the account has a secret that the KMS sealed.
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
  -- When a mail began to wait.
  ALTER TABLE outbox ADD COLUMN waits_from INTEGER NOT NULL DEFAULT 0;
  UPDATE outbox SET waits_from = at;
  CREATE INDEX outbox_waiting ON outbox (waits_from, address) WHERE dead_at IS NULL;
  `,
  `
  -- Whether the user's claims were counted for tier and premium; 2: there are claims, and this is unknown.
  ALTER TABLE accounts ADD COLUMN claims_counted INTEGER;
  UPDATE accounts SET doc = json_set(doc, '$.claimsCounted', NULL) WHERE doc -> '$.claimsCounted' IS NULL;
  UPDATE accounts SET claims_counted = 2 WHERE EXISTS (
    SELECT 1 FROM json_each(doc, '$.entitlements') WHERE value ->> '$.claim' IS NOT NULL
  );
  CREATE INDEX accounts_claiming ON accounts (claims_counted) WHERE claims_counted IS NOT NULL;
  `,
  `
  -- Whether billing knows the account, and when billing must check it again.
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
  -- Every event that is not pending is deleted after a time.
  DROP INDEX billing_events_kept;
  CREATE INDEX billing_events_kept ON billing_events (received_at) WHERE standing <> 'pending';
  `,
];
