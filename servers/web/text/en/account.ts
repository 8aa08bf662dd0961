export const account = {
  nav: 'Your account',
  connected: 'Connected',
  support: 'Help',
  terms: 'Terms',
  privacy: 'Privacy',
  with: (provider: string) => `Continue with ${provider}`,
  signedOut: {
    title: 'You were signed out',
    text: 'Your session ended on this device.',
    act: 'Sign in again',
  },
  restricted: {
    account_banned: 'This account is banned. You can sign out or delete it.',
    account_disabled: 'This account is disabled. You can sign out or delete it.',
  },
};

export const proof = {
  title: 'Confirm that it is you',
  text: 'Confirm before this change.',
  password: 'Password',
  code: 'Code from your app, or a recovery code',
  none: 'Sign out and in again, then make the change again.',
  act: 'Confirm',
  busy: 'Checking…',
};
