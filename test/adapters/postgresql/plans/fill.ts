import { NOW } from '../../../contracts/samples.ts';

/** Rows of every table that grows. */
const ROWS = 100_000;
/** Those with files have so many of them each. */
const OWNERS = 1_000;
const FILES_OF_OWNER = 100;
/** The user of the suites, who has many. */
const HEAVY = 'user';
/** An actor of the suites, who did half of all that was done. */
const BUSY = 'one';
const FILES_OF_HEAVY = 20_000;

const DAY = 86_400_000;

/** Makes the rows of a table out of the numbers `n`, which count from 1. */
const fillWith = (table: string, columns: string, values: string, rows = ROWS): string =>
  `INSERT INTO ${table} (${columns}) SELECT ${values} FROM generate_series(1, ${rows}) AS made (n)`;

/** The id of a user; the first is that of the suites. */
const user = (number: string): string =>
  `CASE WHEN ${number} = 1 THEN '${HEAVY}' ELSE 'u' || lpad(CAST(${number} AS text), 7, '0') END`;
/** The same number in an order that has nothing to do with that of the rows. */
const shuffled = (number: string): string => `lpad(to_hex((${number} * 7919) % 16777213), 12, '0')`;
const oneOf = (every: number, value: string, otherwise = 'NULL'): string =>
  `CASE WHEN n % ${every} = 0 THEN ${value} ELSE ${otherwise} END`;
/** A JSON document of so many bytes. */
const document = (bytes: number, members = ''): string =>
  `CAST('{${members}"filling":"' || repeat('x', ${bytes}) || '"}' AS json)`;
const ago = (milliseconds: number): string => `${NOW} - n::bigint * ${milliseconds}`;

const outboxOf = (table: string, group: string, groupOf: string): string =>
  fillWith(
    table,
    `id, user_id, address, ${group}, at, tries, due_at, waits_from, dead_at, last_failure, fence, doc`,
    `${shuffled('n')}, ${user('1 + n % 50000')}, 'address' || n % 70000, ${groupOf}, ${ago(10)}, ${oneOf(10, '1', '0')},
      CASE WHEN n % 10 = 0 THEN ${NOW} + n ELSE ${ago(10)} END, ${ago(10)}, ${oneOf(100, String(NOW))}, NULL, 0,
      ${document(400)}`,
  );

/** The spread is that of an installation at work. */
const TABLES: readonly string[] = [
  fillWith(
    'accounts',
    `id, version, email, unverified_since, pending, created_at, tier, premium, verified, two_factor, sealed, claims_counted,
      billed, billing_due_at, banned_until, disabled_until, operator, former_emails, doc`,
    `${user('n')}, 3, ${oneOf(50, 'NULL', "'user' || n || '@example.com'")}, ${oneOf(30, ago(1_000))},
      ${oneOf(5_000, '1', '0')}, ${ago(60_000)}, ${oneOf(100, "'team'", oneOf(10, "'pro'", "'free'"))},
      ${oneOf(10, '1', '0')}, ${oneOf(30, '0', '1')}, ${oneOf(5, '1', '0')}, ${oneOf(20, '1', '0')},
      ${oneOf(20, '1')}, ${oneOf(10, '1', '0')}, ${oneOf(10, `${NOW} + n * 10000`)},
      ${oneOf(1_000, `${NOW} + ${DAY}`, '0')}, ${oneOf(2_000, `${NOW} + ${DAY}`, '0')}, ${oneOf(25_000, '1', '0')},
      ${oneOf(20, `'["former' || n || '@example.com"]'`)}, ${document(1_000, '"sessionEpoch":0,')}`,
  ),
  `INSERT INTO account_counts SELECT lane, tier, premium, verified, two_factor, 100
    FROM generate_series(0, 15) AS lane, (SELECT DISTINCT tier, premium, verified, two_factor FROM accounts) AS kinds`,
  fillWith('former_emails', 'email, user_id', `'former' || n || '@example.com', ${user('n')}`),
  fillWith(
    'login_keys',
    'key, user_id, mark',
    `${oneOf(2, "'passkey:'", "'google:'")} || ${shuffled('n')}, ${user('n')}, 'first'`,
  ),
  fillWith(
    'sessions',
    'user_id, id, epoch, refresh_digest, created_at, ends_at, expires_at, ended_at, doc',
    `${user('1 + (n / 10) * 7 % 50000')}, ${shuffled('n')}, 0, md5(CAST(n AS text)), ${ago(25_000)}, ${NOW} + 30 * ${DAY}::bigint,
      ${NOW} + (n % 1000) * ${DAY / 50}::bigint - ${DAY}, ${oneOf(200, String(NOW))},
      ${document(400, `"methods":["password"],"lastUsedAt":${NOW},"authenticatedAt":${NOW},`)}`,
  ),
  fillWith(
    'flows',
    'id, stage, code_digest, content, expires_at, kept_until',
    `${shuffled('n')}, 'begun', NULL, repeat('x', 300), ${NOW} + n - 50000, ${NOW} + n * 10 - 100000`,
  ),
  fillWith(
    'tries',
    'key, count, first_at, ends_at',
    `${oneOf(2, "'login:'", "'email:'")} || ${shuffled('n')}, n % 5, ${ago(1)}, ${NOW} + n * 10 - 100000`,
  ),
  outboxOf('outbox', 'template', oneOf(2, "'code'", "'notice'")),
  outboxOf('webhooks', 'endpoint', oneOf(2, "'endpoint'", "'other'")),
  fillWith(
    'domains',
    'domain, revision, look_at, doc',
    `'host' || n || '.example.com', 'first', ${NOW} + n * 1000, ${document(200)}`,
  ),
  fillWith(
    'audit',
    'number, entry_id, target, actor, content, salt, digest, value',
    `n, ${shuffled('n')}, ${user('1 + n % 50000')}, ${oneOf(2, `'${BUSY}'`, user('1 + n % 50000'))}, repeat('x', 200), 'salt',
      md5(CAST(n AS text)), md5(CAST(n AS text))`,
  ),
  fillWith(
    'files',
    'id, user_id, uploaded_at, size, bytes, key_id, removed, accesses, accessed_at, entry, item',
    `${shuffled('n')},
      CASE WHEN n > ${OWNERS * FILES_OF_OWNER} THEN '${HEAVY}' ELSE ${user(`2 + n % ${OWNERS}`)} END,
      ${ago(10_000)}, 1000000, 600, ${oneOf(100, 'NULL', oneOf(10, "'k1'", "'k2'"))}, ${oneOf(200, '1', '0')},
      ${oneOf(5, 'n % 50', '0')}, ${oneOf(5, ago(1_000), '0')}, ${document(500)}, ${document(200)}`,
    OWNERS * FILES_OF_OWNER + FILES_OF_HEAVY,
  ),
  `INSERT INTO file_counts SELECT lane, key, 1000, 0, 1000 FROM generate_series(0, 15) AS lane, unnest(ARRAY['', 'k1', 'k2']) AS key`,
  fillWith('counted_batches', 'number, mark', "n, 'batch' || n", 1_000),
  fillWith(
    'billing_events',
    'id, standing, received_at, due_at, tries, customer_id, user_id, last_failure, body',
    `'event' || ${shuffled('n')},
      CASE n % 100 WHEN 0 THEN 'pending' WHEN 1 THEN 'waiting' WHEN 2 THEN 'dead' WHEN 3 THEN 'ignored' ELSE 'applied' END,
      ${ago(10_000)}, ${ago(10_000)}, 0, 'customer' || n % 30000, ${user('1 + n % 30000')}, NULL, repeat('x', 600)`,
  ),
  fillWith('billing_customers', 'customer_id, user_id', `'customer' || n, ${user('n')}`),
  fillWith('statistics', 'day, doc', "CAST(date '2026-11-01' - n AS text), '{}'", 400),
  fillWith('leases', 'name, holder, fence, ends_at', `'job' || n, 'process', n, ${NOW}`, 12),
  fillWith('findings', 'name, version, doc', "'job' || n, 1, '{}'", 12),
  fillWith('objects', 'path, stored_at, bytes', `${user('n')} || '/' || ${shuffled('n')}, ${NOW}, '\\x00'`),
  "INSERT INTO audit_head VALUES (1, 100000, 'value', 'signature')",
  "INSERT INTO rates VALUES (1, '{}')",
  "INSERT INTO imports VALUES (1, 'import', 1)",
];

/** Fills all tables, without their triggers. They keep their rows only for this connection's planner. */
export const FILL: readonly string[] = ['SET session_replication_role TO replica', ...TABLES];
/** Notes the spread for the planner, and which pages an index alone answers for. */
export const ANALYZE = 'VACUUM (ANALYZE)';
