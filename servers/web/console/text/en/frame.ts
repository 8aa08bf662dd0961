import { signedOut as ofAccounts } from '../../../text/en/kit.ts';

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
  more: 'Show all',
  less: 'Show less',
  unchanged: 'Nothing to change.',
  refresh: 'Read again',
  roles: { founder: 'founder', dev: 'dev' },
  clearSearch: 'Clear the search',
};

export const reason = {
  label: 'Reason',
  hint: 'Recorded in the audit log.',
  count: (length: number, most: number) => `${length} of ${most}`,
  busy: 'Working…',
};

export const signedOut = {
  ...ofAccounts,
  text: 'Console sessions end after a while without use, and after a few hours.',
};
