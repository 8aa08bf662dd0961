/** A step that would be a fault without this reason. */
export interface Exception {
  /** `SCAN` stands for a scan of any table or index, `READ` for more rows read than returned. */
  readonly step: string;
  /** Matches the statement, with single blanks as its white space. */
  readonly of?: RegExp;
  readonly because: string;
  /** The database with this step; undefined for both. */
  readonly only?: 'sqlite' | 'postgresql';
  /** Any index would do, so the step does not justify having this one. */
  readonly takesAnyIndex?: true;
  /** The statement must read all rows that it counts or changes. */
  readonly readsAll?: true;
}

const scans = (names: readonly string[], rest: Omit<Exception, 'step'>): readonly Exception[] =>
  names.map((name) => ({ step: `SCAN ${name}`, ...rest }));

const indexed = (table: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `${table} USING ${table}_${name}`);

const PAGE = 'A page in the order of the index ends at its limit.';

/** A transfer reads the rows of a table in pages. */
const transfers = (names: readonly string[], only?: Exception['only']): readonly Exception[] =>
  scans(names, {
    of: /^SELECT \w+ AS place, .* ORDER BY \w+ LIMIT \?$/,
    because: 'A transfer reads a page in the order of the key, which ends at its limit.',
    ...(only && { only }),
  });

/** Each database must meet all of its exceptions. */
export const exceptions: readonly Exception[] = [
  ...scans(['audit_head', 'cache_epoch', 'imports', 'rates'], { because: 'The table has one row.' }),
  ...scans(['about'], { only: 'sqlite', because: 'The table has one row.' }),
  ...scans(['recounts'], {
    only: 'postgresql',
    because: 'The table has a row for accounts and one for files.',
  }),
  ...scans(['account_counts'], { because: 'The table has at most eight rows for each tier and lane.' }),
  ...scans(['file_counts'], { because: 'The table has a row for each master key and lane.' }),
  ...scans(['statistics'], { because: 'The table has a row for each of at most 400 days.' }),
  ...scans(['leases'], { because: 'The table has a row for each background job.' }),
  ...scans(['findings'], {
    only: 'postgresql',
    because: 'The table has a row for each background job.',
  }),

  ...scans(
    [
      ...indexed('accounts', ['listed', 'unverified_listed', 'banned', 'disabled', 'operators']),
      ...indexed('accounts', ['premium', 'two_factor']),
    ],
    { of: /ORDER BY created_at DESC, id DESC LIMIT \? OFFSET \?$/, because: PAGE },
  ),
  ...scans(indexed('billing_events', ['received']), {
    of: /ORDER BY received_at DESC, id DESC LIMIT \?$/,
    because: PAGE,
  }),
  ...scans(indexed('files', ['removed']), { of: /ORDER BY id LIMIT \?$/, because: PAGE }),
  ...scans(indexed('sessions', ['ended']), {
    only: 'postgresql',
    of: /ORDER BY ended_at, id LIMIT \?$/,
    because: PAGE,
  }),
  ...['banned', 'disabled'].map((name) => ({
    step: `COMPARE ${name}_until IN accounts_${name}`,
    only: 'postgresql' as const,
    because:
      'The index holds the few accounts that were ever restricted. A count reads all, a search reads parts.',
  })),
  {
    step: 'READ',
    of: /^SELECT (?:email|created_at, id), doc FROM accounts .* LIMIT \? OFFSET \?$/,
    because:
      'A search by two conditions reads the list for one of them in parts of 1,000 accounts, up to 5,000.',
    readsAll: true,
  },
  {
    step: 'READ',
    of: /^SELECT (?:email|created_at, id) FROM accounts .* LIMIT \? OFFSET \?$/,
    because: 'A step of a list skips at most 5,000 accounts, in the index alone.',
    readsAll: true,
  },
  {
    step: 'READ',
    only: 'sqlite',
    of: /^SELECT count\(\*\) AS count FROM accounts WHERE /,
    because: 'A count reads what it counts, in steps of 5,000 accounts.',
    readsAll: true,
  },
  ...scans(indexed('accounts', ['premium', 'two_factor']), {
    of: /^SELECT .*count\(\*\)/,
    because: 'The index holds only what is counted.',
    readsAll: true,
  }),
  ...scans(indexed('accounts', ['banned', 'disabled']), {
    only: 'sqlite',
    of: /^SELECT .*count\(\*\)/,
    because: 'The index holds only what is counted.',
  }),
  ...scans(indexed('accounts', ['operators']), {
    of: /operator = 1/,
    because: 'The index holds only operators.',
  }),

  ...transfers(
    ['accounts', 'domains', 'outbox', 'webhooks', 'files', 'billing_events', 'billing_customers'].flatMap(
      (table) => indexed(table, ['pkey']),
    ),
  ),
  ...transfers(['sessions', 'tries', 'audit'], 'sqlite'),
  ...transfers(
    [
      ...['tries', 'audit', 'statistics'].flatMap((table) => indexed(table, ['pkey'])),
      ...indexed('sessions', ['rowid_key']),
    ],
    'postgresql',
  ),
  {
    step: 'SCAN',
    of: /^SELECT count\(\*\) AS count FROM \w+$/,
    because: 'A transfer counts all rows that it will read, while no server runs.',
    readsAll: true,
    takesAnyIndex: true,
  },
  {
    step: 'SCAN',
    of: /EXISTS \(SELECT 1 FROM \w+\)/,
    because: 'EXISTS and the search for the least key end at the first row.',
    takesAnyIndex: true,
  },
  {
    step: 'SCAN',
    only: 'postgresql',
    of: /^DELETE FROM \w+$/,
    because: 'An import empties tables that a first start has filled.',
  },
  ...scans([...indexed('audit', ['pkey']), ...indexed('counted_batches', ['pkey'])], {
    only: 'postgresql',
    of: /\(SELECT (?:coalesce\()?max\(number\)/,
    because: 'The greatest number is at the end of the index.',
  }),
  {
    step: 'SCAN',
    of: /^SELECT count\(\*\) AS count FROM \(SELECT 1 FROM flows LIMIT 100000\) AS page$/,
    because: 'The count ends at its limit. It reads the table or an index, which cost the same.',
    readsAll: true,
    takesAnyIndex: true,
  },
  {
    step: 'SCAN',
    of: /^INSERT INTO \w+_counts AS kept .* WHERE id > \? AND id <= \? /,
    because: 'It counts a page of 1,000 rows; the page of the suites is the whole table.',
    takesAnyIndex: true,
    readsAll: true,
  },
  {
    step: 'READ',
    of: /^SELECT id FROM \w+ WHERE id > \? ORDER BY id LIMIT 1 OFFSET 999$/,
    because: 'The end of a page of 1,000 rows is found in the index alone.',
    readsAll: true,
  },
  {
    step: 'READ',
    of: /^SELECT count\(\*\) AS count FROM billing_events WHERE standing = \?$/,
    because: 'It counts deliveries that failed for good, and there are few.',
    readsAll: true,
  },

  ...scans(['outbox', 'webhooks'], {
    of: /^UPDATE \w+ SET due_at = [^?]*\?1[^?]*$/,
    because: 'An operator retries every entry, so each row changes.',
  }),
  ...scans(['webhooks'], {
    of: /^DELETE FROM webhooks WHERE endpoint = \?$/,
    because: 'Operators discard the deliveries of an endpoint rarely.',
    readsAll: true,
  }),

  ...(
    [
      [
        'GROUP',
        /^INSERT INTO \w+_counts AS kept .* WHERE id > \? AND id <= \? /,
        'It counts a page of 1,000 rows.',
      ],
      [
        'ORDER',
        /^UPDATE sessions .* ORDER BY rowid DESC LIMIT \?5\)$/,
        'A user has few open sessions, as the statement itself ensures.',
      ],
      ['ORDER', /^SELECT .* FROM outbox WHERE user_id = \? ORDER BY id$/, 'A user has few waiting mails.'],
      [
        'ORDER',
        /^SELECT .* FROM audit WHERE target = .* UNION ALL .* LIMIT \?3\) AS page ORDER BY number/,
        'It sorts two pages, each of which ends at the limit.',
      ],
      [
        'ORDER',
        /FROM json_each\(\?1\) JOIN files .* ORDER BY key/,
        'It sorts the returned records, at most a page.',
      ],
    ] as const
  ).map(([clause, of, because]) => ({
    step: `USE TEMP B-TREE FOR ${clause} BY`,
    only: 'sqlite' as const,
    of,
    because,
  })),
  {
    step: 'READ',
    only: 'sqlite',
    of: /json_each\(\?1?\)/,
    because: 'It looks up each key of its parameter.',
    readsAll: true,
  },
];
