/** A step that would be a fault, were it not for the reason. */
export interface Exception {
  readonly step: string;
  /** What the statement has to look like, its white space as single blanks. */
  readonly of?: RegExp;
  readonly because: string;
  /** Any index would do as well: the step is no reason to have this one. */
  readonly takesAnyIndex?: true;
}

const scans = (names: readonly string[], rest: Omit<Exception, 'step'>): readonly Exception[] =>
  names.map((name) => ({ step: `SCAN ${name}`, ...rest }));

const indexed = (table: string, names: readonly string[], covering = ''): readonly string[] =>
  names.map((name) => `${table} USING ${covering}INDEX ${name}`);

const keyed = (tables: readonly string[], covering = ''): readonly string[] =>
  tables.flatMap((table) => indexed(table, [`sqlite_autoindex_${table}_1`], covering));

const COVERING = 'COVERING ';
const SMALLEST_OF_ACCOUNTS = 'accounts USING COVERING INDEX sqlite_autoindex_accounts_2';

/** What an index of its own lists holds those accounts alone. */
const RESTRICTED = ['accounts_banned', 'accounts_disabled'];
const FLAGGED = [...RESTRICTED, 'accounts_operators', 'accounts_premium', 'accounts_two_factor'];

/** All of them must be met. */
export const exceptions: readonly Exception[] = [
  ...scans(['audit_head', 'cache_epoch', 'imports', 'rates', 'about'], { because: 'The table has one row.' }),
  ...scans(['account_counts'], { because: 'The table has eight rows for a tier at the most.' }),
  ...scans(['file_counts'], { because: 'The table has a row for each master key.' }),
  ...scans(['statistics'], { because: 'The table has a row for each of 400 days at the most.' }),
  ...scans(['leases'], { because: 'The table has a row for each kind of work in the background.' }),

  ...scans(
    [
      ...indexed('accounts', ['accounts_listed', 'accounts_unverified_listed', ...FLAGGED]),
      ...indexed('accounts', FLAGGED, COVERING),
    ],
    {
      of: /ORDER BY created_at DESC, id DESC LIMIT \? OFFSET \?$/,
      because: 'A page in the order of the index ends at its limit.',
    },
  ),
  ...scans(indexed('billing_events', ['billing_events_received']), {
    of: /ORDER BY received_at DESC, id DESC LIMIT \?$/,
    because: 'A page in the order of the index ends at its limit.',
  }),
  ...scans(indexed('files', ['files_removed'], COVERING), {
    of: /ORDER BY id LIMIT \?$/,
    because: 'A page in the order of the index ends at its limit.',
  }),
  ...scans(indexed('accounts', [...RESTRICTED, 'accounts_premium', 'accounts_two_factor'], COVERING), {
    of: /^SELECT .*count\(\*\)/,
    because: 'The index holds nothing but what is counted.',
  }),
  ...scans(indexed('accounts', ['accounts_operators']), {
    of: /^SELECT count\(\*\)/,
    because: 'The index holds operators alone.',
  }),

  ...scans(
    [
      ...['sessions', 'tries', 'audit'],
      ...keyed(['accounts', 'domains', 'outbox', 'webhooks', 'files', 'billing_events', 'billing_customers']),
    ],
    {
      of: /^SELECT \w+ AS place, .* ORDER BY \w+ LIMIT \?$/,
      because: 'A move reads a page in the order of the key, which ends at its limit.',
    },
  ),
  ...scans(
    [
      ...[
        SMALLEST_OF_ACCOUNTS,
        ...keyed(['sessions', 'domains', 'files', 'webhooks', 'billing_events'], COVERING),
      ],
      ...indexed('tries', ['tries_ending'], COVERING),
      ...indexed('outbox', ['outbox_user'], COVERING),
      ...indexed('audit', ['audit_actor'], COVERING),
      ...indexed('billing_customers', ['billing_customers_user'], COVERING),
    ],
    {
      of: /^SELECT count\(\*\) AS count FROM \w+$/,
      because: 'A move counts all that it is going to read, while no server is at work.',
      takesAnyIndex: true,
    },
  ),
  ...scans(
    [
      ...[
        SMALLEST_OF_ACCOUNTS,
        ...keyed(['sessions', 'domains', 'files', 'webhooks', 'billing_events'], COVERING),
      ],
      'login_keys',
      ...indexed('flows', ['flows_ending'], COVERING),
      ...indexed('tries', ['tries_ending'], COVERING),
      ...indexed('outbox', ['outbox_user'], COVERING),
      ...indexed('audit', ['audit_actor'], COVERING),
      ...indexed('billing_customers', ['billing_customers_user'], COVERING),
    ],
    { of: /EXISTS \(SELECT 1 FROM \w+\)/, because: 'EXISTS ends at the first row.', takesAnyIndex: true },
  ),

  ...scans(indexed('flows', ['flows_ending'], COVERING), {
    of: /^SELECT count\(\*\) AS count FROM \(SELECT 1 FROM flows LIMIT 100000\) AS page$/,
    because: 'The count ends at its limit.',
  }),

  ...scans(['outbox', 'webhooks'], {
    of: /^UPDATE \w+ SET due_at = [^?]*\?1[^?]*$/,
    because: 'An operator has every entry tried again, so each one changes.',
  }),
  ...scans(['webhooks'], {
    of: /^DELETE FROM webhooks WHERE endpoint = \?$/,
    because: 'An operator discards what nobody is to hear, once in the life of an address.',
  }),
  {
    step: 'USE TEMP B-TREE FOR GROUP BY',
    of: /^INSERT INTO \w+_counts AS kept .* WHERE id > \? AND id <= \? /,
    because: 'It counts a page of 1,000 rows.',
  },
  {
    step: 'USE TEMP B-TREE FOR ORDER BY',
    of: /^UPDATE sessions .* ORDER BY rowid DESC LIMIT \?5\)$/,
    because: 'A user has a few open sessions: the statement itself sees to it.',
  },
  {
    step: 'USE TEMP B-TREE FOR ORDER BY',
    of: /^SELECT .* FROM outbox WHERE user_id = \? ORDER BY id$/,
    because: 'A user has a few mails that wait.',
  },
  {
    step: 'USE TEMP B-TREE FOR ORDER BY',
    of: /^SELECT .* FROM audit WHERE target = .* UNION ALL .* LIMIT \?3\) AS page ORDER BY number/,
    because: 'It sorts two pages, each of which ends at the limit.',
  },
  {
    step: 'USE TEMP B-TREE FOR ORDER BY',
    of: /FROM json_each\(\?1\) JOIN files .* ORDER BY key/,
    because: 'It sorts the records that it gives, no more than a page.',
  },
];

/** Statements that read more than they return. All of them must do so. */
export const readers: readonly { readonly of: RegExp; readonly because: string }[] = [
  {
    of: /^SELECT (?:email|created_at, id) FROM accounts .* LIMIT \? OFFSET \?$/,
    because: 'A step of a list passes over no more than 5,000 accounts, in the index alone.',
  },
  {
    of: /^SELECT (?:email|created_at, id), doc FROM accounts .* LIMIT \? OFFSET \?$/,
    because:
      'A search by two conditions goes over the list by one in parts of 1,000 accounts, and ends after 5,000.',
  },
  {
    of: /^SELECT count\(\*\) AS count FROM accounts WHERE /,
    because: 'What is counted is read, in steps of 5,000 accounts.',
  },
  {
    of: /^SELECT count\(\*\) AS count FROM \(SELECT 1 FROM flows LIMIT 100000\) AS page$/,
    because: 'The count ends at its limit.',
  },
  {
    of: /^SELECT count\(\*\) AS count FROM billing_events WHERE standing = \?$/,
    because: 'The deliveries are counted that failed for good, of which there are few.',
  },
  {
    of: /^DELETE FROM webhooks WHERE endpoint = \?$/,
    because: 'An operator discards what nobody is to hear, once in the life of an address.',
  },
  {
    of: /^INSERT INTO \w+_counts AS kept .* WHERE id > \? AND id <= \? /,
    because: 'It counts a page of 1,000 rows.',
  },
  {
    of: /^SELECT id FROM \w+ WHERE id > \? ORDER BY id LIMIT 1 OFFSET 999$/,
    because: 'The end of a page of 1,000 rows is found in the index alone.',
  },
  { of: /json_each\(\?1?\)/, because: 'It looks up each of the keys that it is given.' },
];
