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
    text: 'A session of the console ends after 30 minutes unused, and after 12 hours.',
    act: 'Sign in again',
  },
};

export const signIn = {
  lead: 'For operators alone.',
  email: 'Email',
  password: 'Password',
  act: 'Sign in',
  busy: 'Signing in…',
  second: 'Enter the six digits that your authenticator app shows.',
  code: 'Code',
  recovery: 'Recovery code',
  useRecovery: 'Use a recovery code',
  useApp: 'Use the app',
  secondAct: 'Continue',
  back: 'Start over',
  tooLong: 'That took too long. Sign in again.',
  setUp: 'Set up two-factor sign-in',
  grant: 'No operator yet? Make one at the command line:',
};

export const proof = {
  title: 'Confirm that it is you',
  text: 'You signed in a while ago. Confirm, and what you were doing goes on.',
  password: 'Password',
  code: 'Code of your authenticator app',
  act: 'Confirm',
  busy: 'Checking…',
};
