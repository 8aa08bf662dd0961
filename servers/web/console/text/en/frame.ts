import { signedOut as ofAccounts } from '../../../text/en/kit.ts';

export const frame = {
  console: 'console',
  nav: 'Console',
  menu: 'Menu',
  searching: 'Searching…',
  previous: '‹ Previous',
  next: 'Next ›',
  pageEmpty: 'This page of the list is empty.',
  pages: 'Pages of the list',
  aPage: '50 per page',
  further: 'Keep searching',
  searchedTo: (time: string) => `Searched as far as ${time}. There may be more matches.`,
  account: (email: string) => `Signed in as ${email}`,
  none: '–',
  quote: (text: string) => `“${text}”`,
  more: 'Show all',
  less: 'Show less',
  unchanged: 'Nothing changed',
  refresh: 'Refresh',
  roles: { founder: 'Founder', dev: 'Developer' },
  status: 'Status',
  all: 'All',
  find: 'Search',
  clear: 'Clear',
  clearSearch: 'Clear filters',
};

export const reason = {
  label: 'Reason',
  hint: 'Recorded in the audit log.',
  count: (length: number, most: number) => `${length} of ${most}`,
  busy: 'Working…',
};

export const signedOut = {
  ...ofAccounts,
  text: 'Console sessions end when you’re inactive, and after a few hours.',
};
