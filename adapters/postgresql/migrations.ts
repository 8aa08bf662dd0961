/**
 * The schema, one step per version (table `schema_version`). Released steps are never edited; a change is a new step at the
 * end, with which processes of the previous version must still work.
 *
 * - Columns beside `doc` hold copies from it for queries. Those of `outbox`, `webhooks`, `statistics` and `findings` also hold
 *   what `doc` lacks, such as the number of tries.
 * - Texts sort by their bytes. `rowid` is the order of insertion. A `mark` identifies one write. `one` keeps a table to one row.
 * - A count is the sum of several rows, its lanes, so that parallel transactions do not wait for one row. Sizes are summed in
 *   two halves of 32 bits, so that no sum overflows. Lanes 0 to 15 are one generation of the counts, and 16 to 31 the other: a
 *   recount moves rows from one generation to the other (decision 0026).
 * - The column `email` is null for a deleted account, which is not counted. `key_id` of `file_counts` is empty for files without
 *   a key.
 * - `writers` holds the last write of each writer. It is looked up if the answer to its commit is lost.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE accounts (
    id text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL,
    email text COLLATE "C" UNIQUE,
    unverified_since bigint,
    pending bigint NOT NULL,
    created_at bigint NOT NULL,
    tier text COLLATE "C" NOT NULL,
    premium bigint NOT NULL,
    verified bigint NOT NULL,
    two_factor bigint NOT NULL,
    sealed bigint NOT NULL,
    claims_counted bigint,
    billed bigint NOT NULL,
    billing_due_at bigint,
    banned_until bigint NOT NULL,
    disabled_until bigint NOT NULL,
    operator bigint NOT NULL,
    former_emails text,
    doc json NOT NULL
  ) WITH (fillfactor = 80);
  CREATE INDEX accounts_listed ON accounts (created_at DESC, id DESC) WHERE email IS NOT NULL;
  CREATE INDEX accounts_by_tier ON accounts (tier, created_at DESC, id DESC) WHERE email IS NOT NULL;
  CREATE INDEX accounts_unverified ON accounts (unverified_since, id) WHERE unverified_since IS NOT NULL;
  CREATE INDEX accounts_unverified_listed ON accounts (created_at DESC, id DESC) WHERE unverified_since IS NOT NULL;
  CREATE INDEX accounts_pending ON accounts (id) WHERE pending = 1;
  CREATE INDEX accounts_sealed ON accounts (id) WHERE sealed = 1;
  CREATE INDEX accounts_billed ON accounts (id) WHERE billed = 1;
  CREATE INDEX accounts_claiming ON accounts (claims_counted) WHERE claims_counted IS NOT NULL;
  CREATE INDEX accounts_billing_due ON accounts (billing_due_at, id) WHERE billing_due_at IS NOT NULL;
  CREATE INDEX accounts_operators ON accounts (created_at DESC, id DESC) WHERE operator = 1;
  CREATE INDEX accounts_banned ON accounts (created_at DESC, id DESC, banned_until) WHERE banned_until > 0;
  CREATE INDEX accounts_disabled ON accounts (created_at DESC, id DESC, disabled_until) WHERE disabled_until > 0;
  CREATE INDEX accounts_two_factor ON accounts (created_at DESC, id DESC) WHERE two_factor = 1;
  CREATE INDEX accounts_premium ON accounts (created_at DESC, id DESC) WHERE premium = 1;

  CREATE TABLE account_counts (
    lane bigint NOT NULL,
    tier text COLLATE "C" NOT NULL,
    premium bigint NOT NULL,
    verified bigint NOT NULL,
    two_factor bigint NOT NULL,
    accounts bigint NOT NULL,
    PRIMARY KEY (lane, tier, premium, verified, two_factor)
  ) WITH (fillfactor = 50);
  CREATE FUNCTION count_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' AND old.email IS NOT NULL THEN
      INSERT INTO gatehouse.account_counts AS counts
      VALUES (pg_backend_pid() % 16, old.tier, old.premium, old.verified, old.two_factor, -1)
      ON CONFLICT (lane, tier, premium, verified, two_factor) DO UPDATE SET accounts = counts.accounts - 1;
    END IF;
    IF TG_OP <> 'DELETE' AND new.email IS NOT NULL THEN
      INSERT INTO gatehouse.account_counts AS counts
      VALUES (pg_backend_pid() % 16, new.tier, new.premium, new.verified, new.two_factor, 1)
      ON CONFLICT (lane, tier, premium, verified, two_factor) DO UPDATE SET accounts = counts.accounts + 1;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER accounts_counted AFTER INSERT OR DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION count_accounts();
  CREATE TRIGGER accounts_recounted AFTER UPDATE ON accounts FOR EACH ROW
  WHEN ((old.email IS NULL, old.tier, old.premium, old.verified, old.two_factor)
    <> (new.email IS NULL, new.tier, new.premium, new.verified, new.two_factor))
  EXECUTE FUNCTION count_accounts();

  CREATE TABLE former_emails (
    email text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (email, user_id)
  );
  CREATE INDEX former_emails_user ON former_emails (user_id);
  CREATE FUNCTION note_former_emails() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' THEN
      DELETE FROM gatehouse.former_emails WHERE user_id = old.id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
      INSERT INTO gatehouse.former_emails
      SELECT value, new.id FROM json_array_elements_text(CAST(new.former_emails AS json)) AS former (value);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER former_emails_added AFTER INSERT ON accounts FOR EACH ROW
  WHEN (new.former_emails IS NOT NULL) EXECUTE FUNCTION note_former_emails();
  CREATE TRIGGER former_emails_removed AFTER DELETE ON accounts FOR EACH ROW
  WHEN (old.former_emails IS NOT NULL) EXECUTE FUNCTION note_former_emails();
  CREATE TRIGGER former_emails_changed AFTER UPDATE ON accounts FOR EACH ROW
  WHEN (old.former_emails IS DISTINCT FROM new.former_emails) EXECUTE FUNCTION note_former_emails();

  CREATE TABLE login_keys (
    key text COLLATE "C" PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL,
    mark text COLLATE "C" NOT NULL
  );

  CREATE TABLE sessions (
    rowid bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
    user_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    epoch bigint NOT NULL,
    refresh_digest text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    ends_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    ended_at bigint,
    doc json NOT NULL,
    PRIMARY KEY (user_id, id)
  ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
  CREATE INDEX sessions_open ON sessions (user_id, created_at, id) WHERE ended_at IS NULL;
  CREATE INDEX sessions_expiring ON sessions (expires_at) WHERE ended_at IS NULL;
  CREATE INDEX sessions_ended ON sessions (ended_at, id) WHERE ended_at IS NOT NULL;

  CREATE TABLE flows (
    id text COLLATE "C" PRIMARY KEY,
    stage text NOT NULL,
    code_digest text,
    content text,
    expires_at bigint NOT NULL,
    kept_until bigint NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0.05);
  CREATE INDEX flows_ending ON flows (kept_until);

  CREATE TABLE tries (
    key text COLLATE "C" PRIMARY KEY,
    count bigint NOT NULL,
    first_at bigint NOT NULL,
    ends_at bigint NOT NULL
  ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
  CREATE INDEX tries_ending ON tries (ends_at);

  CREATE TABLE outbox (
    id text COLLATE "C" PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL,
    address text COLLATE "C" NOT NULL,
    template text NOT NULL,
    at bigint NOT NULL,
    tries bigint NOT NULL,
    due_at bigint NOT NULL,
    waits_from bigint NOT NULL,
    dead_at bigint,
    last_failure text,
    fence bigint NOT NULL,
    doc text NOT NULL,
    state text NOT NULL GENERATED ALWAYS AS (
      CASE WHEN dead_at IS NOT NULL THEN 'dead' WHEN tries > 0 THEN 'failing' ELSE 'waiting' END
    ) STORED
  ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
  CREATE INDEX outbox_due ON outbox (due_at, address) WHERE dead_at IS NULL;
  CREATE INDEX outbox_waiting ON outbox (waits_from, address) WHERE dead_at IS NULL;
  CREATE INDEX outbox_address ON outbox (address, at, id) WHERE dead_at IS NULL;
  CREATE INDEX outbox_user ON outbox (user_id, id);
  CREATE INDEX outbox_states ON outbox (state, id);

  CREATE TABLE webhooks (
    id text COLLATE "C" PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL,
    address text COLLATE "C" NOT NULL,
    endpoint text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    tries bigint NOT NULL,
    due_at bigint NOT NULL,
    waits_from bigint NOT NULL,
    dead_at bigint,
    last_failure text,
    fence bigint NOT NULL,
    doc text NOT NULL
  ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
  CREATE INDEX webhooks_due ON webhooks (endpoint, due_at, address) WHERE dead_at IS NULL;
  CREATE INDEX webhooks_waiting ON webhooks (endpoint, waits_from, address) WHERE dead_at IS NULL;
  CREATE INDEX webhooks_address ON webhooks (address, at, id) WHERE dead_at IS NULL;

  CREATE TABLE domains (
    domain text COLLATE "C" PRIMARY KEY,
    revision text NOT NULL,
    look_at bigint NOT NULL,
    doc text NOT NULL
  );
  CREATE INDEX domains_due ON domains (look_at, domain);

  CREATE TABLE audit (
    number bigint PRIMARY KEY,
    entry_id text COLLATE "C" NOT NULL UNIQUE,
    target text COLLATE "C" NOT NULL,
    actor text COLLATE "C" NOT NULL,
    content text,
    salt text,
    digest text NOT NULL,
    value text NOT NULL
  );
  CREATE INDEX audit_target ON audit (target, number);
  CREATE INDEX audit_actor ON audit (actor, number);
  CREATE TABLE audit_head (
    one bigint PRIMARY KEY CHECK (one = 1),
    number bigint NOT NULL,
    value text NOT NULL,
    signature text NOT NULL
  ) WITH (fillfactor = 20);

  CREATE TABLE leases (
    name text COLLATE "C" PRIMARY KEY,
    holder text,
    fence bigint NOT NULL,
    ends_at bigint NOT NULL,
    last_success_at bigint
  ) WITH (fillfactor = 20);

  CREATE TABLE files (
    id text COLLATE "C" PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL,
    uploaded_at bigint NOT NULL,
    size bigint NOT NULL,
    bytes bigint NOT NULL,
    key_id text COLLATE "C",
    removed bigint NOT NULL DEFAULT 0,
    accesses bigint NOT NULL DEFAULT 0,
    accessed_at bigint NOT NULL DEFAULT 0,
    entry text NOT NULL,
    item text
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
  CREATE INDEX files_listed ON files (user_id, uploaded_at DESC, id DESC) INCLUDE (bytes) WHERE removed = 0;
  CREATE INDEX files_active ON files (user_id, accesses DESC, accessed_at DESC, id) INCLUDE (bytes)
    WHERE removed = 0 AND accesses > 0;
  CREATE INDEX files_by_key ON files (key_id, id) WHERE removed = 0;
  CREATE INDEX files_removed ON files (id) WHERE removed = 1;

  CREATE TABLE file_counts (
    lane bigint NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    files bigint NOT NULL,
    sizes_high bigint NOT NULL,
    sizes_low bigint NOT NULL,
    PRIMARY KEY (lane, key_id)
  ) WITH (fillfactor = 50);
  CREATE FUNCTION count_files() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' AND old.removed = 0 THEN
      INSERT INTO gatehouse.file_counts AS counts VALUES (
        pg_backend_pid() % 16, coalesce(old.key_id, ''), -1, -(old.size >> 32), -(old.size & 4294967295))
      ON CONFLICT (lane, key_id) DO UPDATE SET
        files = counts.files + excluded.files, sizes_high = counts.sizes_high + excluded.sizes_high,
        sizes_low = counts.sizes_low + excluded.sizes_low;
    END IF;
    IF TG_OP <> 'DELETE' AND new.removed = 0 THEN
      INSERT INTO gatehouse.file_counts AS counts VALUES (
        pg_backend_pid() % 16, coalesce(new.key_id, ''), 1, new.size >> 32, new.size & 4294967295)
      ON CONFLICT (lane, key_id) DO UPDATE SET
        files = counts.files + excluded.files, sizes_high = counts.sizes_high + excluded.sizes_high,
        sizes_low = counts.sizes_low + excluded.sizes_low;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER files_counted AFTER INSERT OR DELETE ON files FOR EACH ROW EXECUTE FUNCTION count_files();
  CREATE TRIGGER files_recounted AFTER UPDATE ON files FOR EACH ROW
  WHEN ((old.removed, coalesce(old.key_id, ''), old.size) <> (new.removed, coalesce(new.key_id, ''), new.size))
  EXECUTE FUNCTION count_files();

  CREATE TABLE counted_batches (
    number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    mark text NOT NULL UNIQUE
  );
  CREATE TABLE cache_epoch (
    one bigint PRIMARY KEY CHECK (one = 1),
    number bigint NOT NULL
  );
  INSERT INTO cache_epoch (one, number) VALUES (1, 1);

  CREATE TABLE billing_events (
    id text COLLATE "C" PRIMARY KEY,
    standing text NOT NULL,
    received_at bigint NOT NULL,
    due_at bigint NOT NULL,
    tries bigint NOT NULL DEFAULT 0,
    customer_id text COLLATE "C",
    user_id text COLLATE "C",
    last_failure text,
    body text
  );
  CREATE INDEX billing_events_due ON billing_events (standing, due_at, id);
  CREATE INDEX billing_events_customer ON billing_events (customer_id, standing) WHERE customer_id IS NOT NULL;
  CREATE INDEX billing_events_user ON billing_events (user_id, received_at, id) WHERE user_id IS NOT NULL;
  CREATE INDEX billing_events_received ON billing_events (received_at, id);
  CREATE INDEX billing_events_standing ON billing_events (standing, received_at, id);
  CREATE TABLE billing_customers (
    customer_id text COLLATE "C" PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL
  );
  CREATE INDEX billing_customers_user ON billing_customers (user_id);
  CREATE TABLE rates (
    one bigint PRIMARY KEY CHECK (one = 1),
    doc text NOT NULL
  );

  CREATE TABLE imports (
    one bigint PRIMARY KEY CHECK (one = 1),
    id text NOT NULL,
    lines bigint NOT NULL
  );
  CREATE TABLE statistics (
    day text COLLATE "C" PRIMARY KEY,
    doc text,
    mail_waiting_most bigint NOT NULL DEFAULT 0,
    cache_hits bigint NOT NULL DEFAULT 0,
    cache_misses bigint NOT NULL DEFAULT 0
  );
  CREATE TABLE findings (
    name text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL,
    doc text NOT NULL
  );

  CREATE TABLE objects (
    path text COLLATE "C" PRIMARY KEY,
    stored_at bigint NOT NULL,
    bytes bytea NOT NULL
  );
  ALTER TABLE objects ALTER COLUMN bytes SET STORAGE EXTERNAL;
  `,
  `
  CREATE TABLE writers (
    id text COLLATE "C" PRIMARY KEY,
    number bigint NOT NULL,
    changes bigint NOT NULL,
    fence bigint NOT NULL,
    used_at timestamptz NOT NULL
  ) WITH (fillfactor = 20);

  -- Many rows that are added at once change a count once.
  CREATE FUNCTION count_added_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO gatehouse.account_counts AS counts
    SELECT pg_backend_pid() % 16, tier, premium, verified, two_factor, count(*) FROM added
    WHERE email IS NOT NULL GROUP BY tier, premium, verified, two_factor ORDER BY tier, premium, verified, two_factor
    ON CONFLICT (lane, tier, premium, verified, two_factor) DO UPDATE SET
      accounts = counts.accounts + excluded.accounts;
    RETURN NULL;
  END $$;
  DROP TRIGGER accounts_counted ON accounts;
  CREATE TRIGGER accounts_added AFTER INSERT ON accounts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_accounts();
  CREATE TRIGGER accounts_removed AFTER DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION count_accounts();
  `,
  `
  -- How far the rows of a table have been counted anew: up to this id, into the counts of this generation (decision 0026).
  CREATE TABLE recounts (
    name text COLLATE "C" PRIMARY KEY,
    counted_to text COLLATE "C" NOT NULL,
    generation bigint NOT NULL
  );
  -- A transaction that changes a count and a page of a recount wait for each other by this lock.
  CREATE FUNCTION count_lane(counted text, id text) RETURNS bigint LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('counts:' || counted, 0));
    RETURN pg_backend_pid() % 16 + 16 * coalesce((
      SELECT CASE WHEN id <= counted_to THEN generation ELSE 1 - generation END
      FROM gatehouse.recounts WHERE name = counted), 0);
  END $$;
  CREATE OR REPLACE FUNCTION count_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' AND old.email IS NOT NULL THEN
      INSERT INTO gatehouse.account_counts AS counts
      VALUES (gatehouse.count_lane('accounts', old.id), old.tier, old.premium, old.verified, old.two_factor, -1)
      ON CONFLICT (lane, tier, premium, verified, two_factor) DO UPDATE SET accounts = counts.accounts - 1;
    END IF;
    IF TG_OP <> 'DELETE' AND new.email IS NOT NULL THEN
      INSERT INTO gatehouse.account_counts AS counts
      VALUES (gatehouse.count_lane('accounts', new.id), new.tier, new.premium, new.verified, new.two_factor, 1)
      ON CONFLICT (lane, tier, premium, verified, two_factor) DO UPDATE SET accounts = counts.accounts + 1;
    END IF;
    RETURN NULL;
  END $$;
  CREATE OR REPLACE FUNCTION count_added_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO gatehouse.account_counts AS counts
    SELECT gatehouse.count_lane('accounts', id) AS lane, tier, premium, verified, two_factor, count(*) FROM added
    WHERE email IS NOT NULL GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (lane, tier, premium, verified, two_factor) DO UPDATE SET
      accounts = counts.accounts + excluded.accounts;
    RETURN NULL;
  END $$;
  CREATE OR REPLACE FUNCTION count_files() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' AND old.removed = 0 THEN
      INSERT INTO gatehouse.file_counts AS counts VALUES (
        gatehouse.count_lane('files', old.id), coalesce(old.key_id, ''), -1, -(old.size >> 32), -(old.size & 4294967295))
      ON CONFLICT (lane, key_id) DO UPDATE SET
        files = counts.files + excluded.files, sizes_high = counts.sizes_high + excluded.sizes_high,
        sizes_low = counts.sizes_low + excluded.sizes_low;
    END IF;
    IF TG_OP <> 'DELETE' AND new.removed = 0 THEN
      INSERT INTO gatehouse.file_counts AS counts VALUES (
        gatehouse.count_lane('files', new.id), coalesce(new.key_id, ''), 1, new.size >> 32, new.size & 4294967295)
      ON CONFLICT (lane, key_id) DO UPDATE SET
        files = counts.files + excluded.files, sizes_high = counts.sizes_high + excluded.sizes_high,
        sizes_low = counts.sizes_low + excluded.sizes_low;
    END IF;
    RETURN NULL;
  END $$;
  `,
];
