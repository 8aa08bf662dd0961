export const overview = {
  state: 'State',
  service: {
    store: 'Store',
    objects: 'Files of pictures',
    mail: 'Mail',
    cache: 'Cache',
    cache_epoch: 'Removals from the cache',
    kms: 'Key service',
    billing: 'Payment provider',
    'drop-accounts': 'Account service',
    'drop-metadata': 'Metadata service',
  } as Readonly<Record<string, string>>,
  up: 'up',
  down: 'down',
  partly: 'partly down',
  degraded: 'Something is down.',
  well: 'Everything that is watched is up.',
  what: 'What to do',
  jobs: 'Jobs',
  jobsWell: 'All jobs run in time.',
  late: (task: string) => `${task} is stalled`,
  stalled: 'stalled',
  lateWhat: [
    'Look for background.failed in the log: often the store is the cause.',
    'If one process holds the job and nothing moves, end that process; the next takes over.',
  ],
  mailsDead: 'Dead mails',
  mailsWaiting: 'Mails waiting',
  mailsWhat: [
    'See what the provider says of them: a wrong key is auth, a full mailbox concerns that user alone.',
    'Once the cause is gone, retry all.',
  ],
  oldest: (time: string) => `the oldest since ${time}`,
  deliveriesDead: 'Dead deliveries',
  deliveriesPending: 'Deliveries pending',
  deliveriesWhat: [
    'The log says why: most often a product that POLAR_PRODUCTS does not name.',
    'Add it, restart, then replay them.',
  ],
  toMails: 'To the mails',
  toDeliveries: 'To the deliveries',
  toJobs: 'To the jobs',
  dependency: {
    store: [
      'Requests answer 503 and nothing is half written; it recovers by itself when the cause is gone.',
      'See whether the disk is full or read-only, or whether MongoDB has a primary that this machine reaches.',
    ],
    objects: [
      'Avatars cannot be shown or uploaded; all else works.',
      'The reason of objects.failed in the log says whether to wait or to change rights.',
    ],
    mail: [
      'No mail is lost, but codes are good for 15 minutes only.',
      'Read the last failure of the waiting mails; when the provider works again, retry all.',
    ],
    cache: [
      'Records are read from the store, and cache sync answers 503.',
      'Bring Redis back; it may come back empty.',
    ],
    kms: [
      'Data keys and second factors answer 503; records can still be read.',
      'The reason of kms.failed in the log says whether it cannot be reached or refuses access.',
    ],
    billing: [
      'Rights stay as they are; checkout and portal answer 503.',
      'Wait; if the log says credentials, set a new POLAR_ACCESS_TOKEN.',
    ],
    other: [
      'It cannot be reached or refuses us.',
      'Its name in the log, and docs/operating.md, say what to do.',
    ],
  } as Readonly<Record<string, readonly [string, string]>>,
};

export const statistics = {
  days: 'Days',
  span: (days: number) => `${days} days`,
  showTable: 'Show as table',
  showChart: 'Show as chart',
  day: 'Day (UTC)',
  marker: 'Day shown',
  noDay: 'not counted',
  none: 'No statistics yet. The first day appears within an hour of the start.',
  note: 'Active: has a session that was used within 1, 7 or 30 days. Users who signed out are not counted.',
  signUps: {
    title: 'Sign-ups',
    names: ['verified', 'not verified'],
    sentence: (total: string, days: number, day: string, most: string) =>
      `${total} sign-ups in ${days} days, most on ${day}: ${most}.`,
  },
  tiers: {
    title: 'Tiers',
    sentence: (total: string, parts: string) => `${total} accounts: ${parts}.`,
  },
  active: {
    title: 'Active users',
    names: ['1 day', '7 days', '30 days'],
    sentence: (one: string, seven: string, thirty: string) =>
      `Active within 1 day: ${one}, 7 days: ${seven}, 30 days: ${thirty}.`,
  },
  mail: {
    title: 'Mails',
    names: ['waiting, most of the day', 'dead'],
    sentence: (most: string, day: string, dead: string) =>
      `At most ${most} mails waited, on ${day}. Dead now: ${dead}.`,
  },
  cache: {
    title: 'Cache hit rate',
    names: ['hits'],
    sentence: (rate: string, days: number) => `${rate} of all reads in ${days} days were hits.`,
    none: 'No reads were counted.',
  },
};
