export const signIn = {
  lead: 'For operators only.',
  email: 'Email',
  password: 'Password',
  act: 'Sign in',
  busy: 'Signing in…',
  second: 'Enter the six-digit code from your authenticator app.',
  secondByPasskey: 'Use a passkey, or enter a recovery code.',
  code: 'Code',
  recovery: 'Recovery code',
  useRecovery: 'Use a recovery code',
  useApp: 'Use the app',
  secondAct: 'Continue',
  back: 'Start over',
  tooLong: 'This sign-in has expired. Sign in again.',
  setUp: 'Set up two-factor sign-in',
  grant: 'No operator yet? Make one at the command line:',
};

export const proof = {
  title: 'Confirm that it is you',
  text: 'Confirm to continue.',
  password: 'Password',
  code: 'Code from your authenticator app',
  none: 'Sign out and in again, then try again.',
  act: 'Confirm',
  busy: 'Checking…',
};
