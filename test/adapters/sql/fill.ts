import { NOW } from '../../contracts/samples.ts';

/** How to fill the tables of a database. */
interface FillOptions {
  /** Rows of every table that grows. */
  readonly rows: number;
  /** The type of a column that holds a document. */
  readonly document: 'json' | 'text';
  /** Lanes of a count. */
  readonly lanes: number;
}

/** Files of each user with files. */
const FILES_OF_OWNER = 100;
/** The user of the suites, who has many files. */
const HEAVY = 'user';
/** An actor of the suites, with half of all audit rows. */
const BUSY = 'one';
/** `HEAVY` has a fifth as many files as all other users. */
const HEAVY_PART = 5;

/** Before all times of the suites: half of all files that were read were last read at this time. */
const LONG_AGO = 10;
const DAY = 86_400_000;

/** The id of a user; the first is that of the suites. */
const user = (number: string): string =>
  `CASE WHEN ${number} = 1 THEN '${HEAVY}' ELSE 'u' || substr(CAST(10000000 + ${number} AS text), 2) END`;
/** The number in an order that is unrelated to the order of the rows. */
const shuffled = (number: string): string =>
  `substr(CAST(1000000000000 + (${number} * 7919) % 16777213 AS text), 2)`;
const oneOf = (every: number, value: string, otherwise = 'NULL'): string =>
  `CASE WHEN n % ${every} = 0 THEN ${value} ELSE ${otherwise} END`;
const ago = (milliseconds: number): string => `${NOW} - CAST(n AS bigint) * ${milliseconds}`;

/** Statements that fill all tables with values as in a real installation. Their triggers must be off. */
export const fillTables = ({ rows: rowCount, document: type, lanes }: FillOptions): readonly string[] => {
  const owners = rowCount / FILES_OF_OWNER;
  /** Inserts rows that are computed from the numbers `n`, starting at 1. */
  const fillWith = (table: string, columns: string, values: string, rows = rowCount): string =>
    `INSERT INTO ${table} (${columns}) SELECT ${values} FROM (SELECT value AS n FROM generate_series(1, ${rows}) AS value) AS made`;
  /** A JSON document of so many bytes. */
  const document = (bytes: number, members = ''): string =>
    `CAST('{${members}"filling":"${'x'.repeat(bytes)}"}' AS ${type})`;
  const outboxOf = (table: string, group: string, groupOf: string): string =>
    fillWith(
      table,
      `id, user_id, address, ${group}, at, tries, due_at, waits_from, dead_at, last_failure, fence, doc`,
      `${shuffled('n')}, ${user('1 + n % 50000')}, 'address' || n % 70000, ${groupOf}, ${ago(10)}, ${oneOf(10, '1', '0')},
        CASE WHEN n % 10 = 0 THEN ${NOW} + n ELSE ${ago(10)} END, ${ago(10)}, ${oneOf(100, String(NOW))}, NULL, 0,
        ${document(400)}`,
    );

  return [
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
    FROM (SELECT DISTINCT tier, premium, verified, two_factor FROM accounts) AS kinds,
      (SELECT value AS lane FROM generate_series(0, ${lanes - 1}) AS value) AS lanes`,
    fillWith('former_emails', 'email, user_id', `'former' || n || '@example.com', ${user('n')}`),
    fillWith(
      'login_keys',
      'key, user_id, mark',
      `${oneOf(2, "'passkey:'", "'google:'")} || ${shuffled('n')}, ${user('n')}, 'first'`,
    ),
    fillWith(
      'sessions',
      'user_id, id, epoch, refresh_digest, created_at, ends_at, expires_at, ended_at, doc',
      `${user('1 + (n / 10) * 7 % 50000')}, ${shuffled('n')}, 0, 'digest' || n, ${ago(25_000)}, ${NOW} + ${30 * DAY},
      ${NOW} + (n % 1000) * ${DAY / 50} - ${DAY}, ${oneOf(200, String(NOW))},
      ${document(400, `"methods":["password"],"lastUsedAt":${NOW},"authenticatedAt":${NOW},`)}`,
    ),
    fillWith(
      'flows',
      'id, stage, code_digest, content, expires_at, kept_until',
      `${shuffled('n')}, 'begun', NULL, '${'x'.repeat(300)}', ${NOW} + n - 50000, ${NOW} + n * 10 - 100000`,
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
      `n, ${shuffled('n')}, ${user('1 + n % 50000')}, ${oneOf(2, `'${BUSY}'`, user('1 + n % 50000'))}, '${'x'.repeat(200)}', 'salt',
      'digest' || n, 'digest' || n`,
    ),
    fillWith(
      'files',
      'id, user_id, uploaded_at, size, bytes, key_id, removed, accesses, accessed_at, entry, item',
      `${shuffled('n')},
      CASE WHEN n > ${rowCount} THEN '${HEAVY}' ELSE ${user(`2 + n % ${owners}`)} END,
      ${ago(10_000)}, 1000000, 600, ${oneOf(100, 'NULL', oneOf(10, "'k1'", "'k2'"))}, ${oneOf(200, '1', '0')},
      ${oneOf(5, 'n % 50', '0')}, ${oneOf(10, String(LONG_AGO), oneOf(5, ago(1_000), '0'))}, ${document(500)}, ${document(200)}`,
      rowCount + rowCount / HEAVY_PART,
    ),
    `INSERT INTO file_counts SELECT lane, key, 1000, 0, 1000
    FROM (SELECT '' AS key UNION ALL SELECT 'k1' UNION ALL SELECT 'k2') AS keys,
      (SELECT value AS lane FROM generate_series(0, ${lanes - 1}) AS value) AS lanes`,
    fillWith('counted_batches', 'number, mark', "n, 'batch' || n", 1_000),
    fillWith(
      'billing_events',
      'id, standing, received_at, due_at, tries, customer_id, user_id, last_failure, body',
      `'event' || ${shuffled('n')},
      CASE n % 100 WHEN 0 THEN 'pending' WHEN 1 THEN 'waiting' WHEN 2 THEN 'dead' WHEN 3 THEN 'ignored' ELSE 'applied' END,
      ${ago(10_000)}, ${ago(10_000)}, 0, 'customer' || n % 30000, ${user('1 + n % 30000')}, NULL, '${'x'.repeat(600)}'`,
    ),
    fillWith('billing_customers', 'customer_id, user_id', `'customer' || n, ${user('n')}`),
    fillWith('statistics', 'day, doc', "'2025-' || substr(CAST(10000 + n AS text), 2), '{}'", 400),
    fillWith('leases', 'name, holder, fence, ends_at', `'job' || n, 'process', n, ${NOW}`, 12),
    fillWith('findings', 'name, version, doc', "'job' || n, 1, '{}'", 12),
    `INSERT INTO audit_head VALUES (1, ${rowCount}, 'value', 'signature')`,
    "INSERT INTO rates VALUES (1, '{}')",
    "INSERT INTO imports VALUES (1, 'import', 1)",
  ];
};
