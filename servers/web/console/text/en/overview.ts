export const overview = {
  service: {
    store: 'Database',
    objects: 'Avatar storage',
    mail: 'Email',
    cache: 'Cache',
    cache_epoch: 'Cache invalidation',
    kms: 'Key management',
    billing: 'Payment provider',
    'drop-accounts': 'Account service',
    'drop-metadata': 'Metadata service',
  } as Readonly<Record<string, string>>,
  up: 'Up',
  down: 'Down',
  partly: 'Partly down',
  degraded: 'Something needs your attention.',
  well: 'All systems are operational.',
  users: {
    now: 'Users now',
    unverified: 'Not verified',
    twoFactor: 'Two-factor',
    banned: 'Banned',
    disabled: 'Disabled',
  },
  jobsWell: 'On time',
  job: (task: string) => `Job: ${task}`,
  stalled: 'Stalled',
  lateWhat: [
    'Look for background.failed in the log; the cause is often the database.',
    'If a process holds the job without progress, end it; another one takes over.',
  ],
  mailsDead: 'Dead emails',
  mailsWaiting: 'Emails waiting',
  mailsWhat: [
    'Check the last error: auth means a wrong key, a full mailbox affects only that user.',
    'Once it’s fixed, retry all.',
  ],
  oldest: (time: string) => `Oldest from ${time} UTC`,
  deliveriesDead: 'Dead deliveries',
  deliveriesPending: 'Deliveries pending',
  deliveriesWhat: [
    'The log says why; usually POLAR_PRODUCTS doesn’t name a product.',
    'Add it, restart, then replay the deliveries.',
  ],
  toMails: 'View emails',
  toDeliveries: 'View deliveries',
  toJobs: 'View jobs',
  /** What the failure of a dependency means, and what to do. */
  dependency: {
    store: [
      'Requests fail with 503, and nothing is half written. It recovers on its own.',
      'Check whether the disk is full or read-only, and whether the database server can be reached.',
    ],
    objects: [
      'Avatars can’t be shown or uploaded; everything else works.',
      'The reason of objects.failed in the log says whether to wait or to change permissions.',
    ],
    mail: [
      'No email is lost, but codes expire after 15 minutes.',
      'Check the last error of the waiting emails; once the provider works again, retry all.',
    ],
    cache: [
      'Records are read from the database, and cache sync fails with 503.',
      'Start Redis again; it may be empty.',
    ],
    kms: [
      'Data keys and two-factor authentication fail with 503; records can still be read.',
      'The reason of kms.failed in the log says whether it can’t be reached or denies access.',
    ],
    billing: [
      'Plans stay as they are; checkout and portal fail with 503.',
      'Wait; if the log says credentials, set a new POLAR_ACCESS_TOKEN.',
    ],
    'drop-metadata': [
      'File records can’t be read or written; sign-in and billing work.',
      'Check that the service runs, and that METADATA_URL leads to it; its log says why it stopped.',
    ],
    other: [
      'It can’t be reached or denies access.',
      'Search the log for its name, then see docs/operating.md.',
    ],
  } as Readonly<Record<string, readonly [string, string]>>,
};

export const statistics = {
  days: 'Days',
  span: (days: number) => `${days} days`,
  showTable: 'Show as table',
  showChart: 'Show as chart',
  day: 'Day (UTC)',
  marker: 'Selected day',
  noDay: 'No data',
  none: 'No statistics yet. The charts begin within an hour of the start.',
  note: 'Counted once an hour. Active users used a session within 1, 7 or 30 days. Users who signed out don’t count.',
  signUps: {
    title: 'Sign-ups',
    names: { verified: 'Verified', unverified: 'Not verified' },
    none: 'No sign-ups in these days.',
    sentence: (total: string, days: number, day: string, most: string) =>
      `${total} ${total === '1' ? 'sign-up' : 'sign-ups'} in ${days} days, most on ${day}: ${most}.`,
  },
  tiers: {
    title: 'Tiers',
    none: 'Not counted yet.',
    sentence: (total: string, parts: string) => `${total} ${total === '1' ? 'user' : 'users'}: ${parts}.`,
  },
  active: {
    title: 'Active users',
    names: { day: '1 day', week: '7 days', month: '30 days' },
    none: 'No active users in these days.',
    sentence: (one: string, seven: string, thirty: string) =>
      `Active within 1 day: ${one}, 7 days: ${seven}, 30 days: ${thirty}.`,
  },
  mail: {
    title: 'Emails',
    names: { waiting: 'Most waiting at a time', dead: 'Dead' },
    none: 'No emails had to wait.',
    sentence: (most: string, day: string, dead: string) =>
      `At most ${most} ${most === '1' ? 'email was' : 'emails were'} waiting, on ${day}. Dead: ${dead}.`,
  },
  cache: {
    title: 'Cache hit rate',
    hits: 'Hits',
    sentence: (rate: string, days: number) => `${rate} of all reads in ${days} days came from the cache.`,
    none: 'No reads in these days.',
  },
};
