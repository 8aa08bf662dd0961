export const frame = {
  console: 'console',
  nav: 'Console',
  menu: 'Menu',
  searching: 'Searching…',
  newer: '‹ Newer',
  older: 'Older ›',
  pages: 'Pages of the list',
  aPage: '50 a page',
  further: 'Search further',
  searchedTo: (time: string) => `Looked back to ${time} and found no more. There may be more before it.`,
  none: '–',
  unchanged: 'It was so already. Nothing was written.',
  refresh: 'Read again',
  roles: { founder: 'founder', dev: 'dev' },
  over: {
    title: 'You were signed out',
    text: 'A session of the console ends when it is not used for a while, and after some hours.',
    act: 'Sign in again',
  },
  clearSearch: 'Clear the search',
};

export const reason = {
  label: 'Reason',
  hint: 'Stands in the audit log.',
  count: (length: number, most: number) => `${length} of ${most}`,
  busy: 'Working…',
};
