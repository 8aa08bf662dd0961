export const signIn = {
  lead: 'For operators alone.',
  email: 'Email',
  password: 'Password',
  act: 'Sign in',
  busy: 'Signing in…',
  second: 'Enter the six digits that your authenticator app shows.',
  secondByPasskey: 'Use a passkey, or enter a recovery code.',
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
  text: 'Confirm, and what you were doing goes on.',
  password: 'Password',
  code: 'Code of your authenticator app',
  act: 'Confirm',
  busy: 'Checking…',
};
