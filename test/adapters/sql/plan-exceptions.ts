/** A step that would be a fault, were it not for the reason. */
export interface Exception {
  /** `SCAN` stands for a scan of any table or index, `READ` for more rows read than returned. */
  readonly step: string;
  /** What the statement has to look like, its white space as single blanks. */
  readonly of?: RegExp;
  readonly because: string;
  /** The database that goes about it so; undefined: each. */
  readonly only?: 'sqlite' | 'postgresql';
  /** Any index would do as well: the step is no reason to have this one. */
  readonly takesAnyIndex?: true;
  /** The statement has to read all that it counts or changes. */
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

/** All of those of a database must be met. */
export const exceptions: readonly Exception[] = [
  ...scans(['audit_head', 'cache_epoch', 'imports', 'rates'], { because: 'The table has one row.' }),
  ...scans(['about'], { only: 'sqlite', because: 'The table has one row.' }),
  ...scans(['recounts'], {
    only: 'postgresql',
    because: 'The table has a row for accounts and one for files.',
  }),
  ...scans(['account_counts'], { because: 'The table has eight rows for each tier and lane at the most.' }),
  ...scans(['file_counts'], { because: 'The table has a row for each master key and lane.' }),
  ...scans(['statistics'], { because: 'The table has a row for each of 400 days at the most.' }),
  ...scans(['leases'], { because: 'The table has a row for each kind of work in the background.' }),
  ...scans(['findings'], {
    only: 'postgresql',
    because: 'The table has a row for each kind of work in the background.',
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
      'The index holds the few who were ever restricted: a count counts them, a search goes over them in parts.',
  })),
  {
    step: 'READ',
    of: /^SELECT (?:email|created_at, id), doc FROM accounts .* LIMIT \? OFFSET \?$/,
    because:
      'A search by two conditions goes over the list by one in parts of 1,000 accounts, and ends after 5,000.',
    readsAll: true,
  },
  {
    step: 'READ',
    of: /^SELECT (?:email|created_at, id) FROM accounts .* LIMIT \? OFFSET \?$/,
    because: 'A step of a list passes over no more than 5,000 accounts, in the index alone.',
    readsAll: true,
  },
  {
    step: 'READ',
    only: 'sqlite',
    of: /^SELECT count\(\*\) AS count FROM accounts WHERE /,
    because: 'What is counted is read, in steps of 5,000 accounts.',
    readsAll: true,
  },
  ...scans(indexed('accounts', ['premium', 'two_factor']), {
    of: /^SELECT .*count\(\*\)/,
    because: 'The index holds nothing but what is counted.',
    readsAll: true,
  }),
  ...scans(indexed('accounts', ['banned', 'disabled']), {
    only: 'sqlite',
    of: /^SELECT .*count\(\*\)/,
    because: 'The index holds nothing but what is counted.',
  }),
  ...scans(indexed('accounts', ['operators']), {
    of: /operator = 1/,
    because: 'The index holds operators alone.',
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
    because: 'A transfer counts all that it is going to read, while no server is at work.',
    readsAll: true,
    takesAnyIndex: true,
  },
  {
    step: 'SCAN',
    of: /EXISTS \(SELECT 1 FROM \w+\)/,
    because: 'EXISTS ends at the first row, as the least key does.',
    takesAnyIndex: true,
  },
  {
    step: 'SCAN',
    only: 'postgresql',
    of: /^DELETE FROM \w+$/,
    because: 'An import empties what a first start has filled.',
  },
  ...scans([...indexed('audit', ['pkey']), ...indexed('counted_batches', ['pkey'])], {
    only: 'postgresql',
    of: /\(SELECT (?:coalesce\()?max\(number\)/,
    because: 'The greatest number is at the end of the index.',
  }),
  {
    step: 'SCAN',
    of: /^SELECT count\(\*\) AS count FROM \(SELECT 1 FROM flows LIMIT 100000\) AS page$/,
    because:
      'The count ends at its limit, over the table or an index of it: which one is as dear, by chance.',
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
    because: 'The deliveries are counted that failed for good, of which there are few.',
    readsAll: true,
  },

  ...scans(['outbox', 'webhooks'], {
    of: /^UPDATE \w+ SET due_at = [^?]*\?1[^?]*$/,
    because: 'An operator has every entry tried again, so each one changes.',
  }),
  ...scans(['webhooks'], {
    of: /^DELETE FROM webhooks WHERE endpoint = \?$/,
    because: 'An operator discards what nobody is to hear, once in the life of an address.',
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
        'A user has a few open sessions: the statement itself sees to it.',
      ],
      [
        'ORDER',
        /^SELECT .* FROM outbox WHERE user_id = \? ORDER BY id$/,
        'A user has a few mails that wait.',
      ],
      [
        'ORDER',
        /^SELECT .* FROM audit WHERE target = .* UNION ALL .* LIMIT \?3\) AS page ORDER BY number/,
        'It sorts two pages, each of which ends at the limit.',
      ],
      [
        'ORDER',
        /FROM json_each\(\?1\) JOIN files .* ORDER BY key/,
        'It sorts the records that it gives, no more than a page.',
      ],
    ] as const
  ).map(([what, of, because]) => ({
    step: `USE TEMP B-TREE FOR ${what} BY`,
    only: 'sqlite' as const,
    of,
    because,
  })),
  {
    step: 'READ',
    only: 'sqlite',
    of: /json_each\(\?1?\)/,
    because: 'It looks up each of the keys that it is given.',
    readsAll: true,
  },
];
