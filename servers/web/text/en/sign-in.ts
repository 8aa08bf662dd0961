export const signIn = {
  button: 'Sign in',
  busy: 'Signing in…',
  codeTitle: 'Enter your code',
  as: 'Signing in as',
  byApp: 'Enter the code from your authenticator app.',
  byPasskey: 'Use a passkey, or enter a recovery code.',
  byRecovery: 'Enter a recovery code.',
  recovery: 'Recovery code',
  useRecovery: 'Use a recovery code',
  useApp: 'Use the authenticator app',
  back: 'Use another account',
  tooLong: 'This sign-in has expired. Sign in again.',
};
