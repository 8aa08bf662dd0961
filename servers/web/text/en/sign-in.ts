export const signIn = {
  button: 'Sign in',
  busy: 'Signing in…',
  byApp: 'Enter the code from your authenticator app.',
  byPasskey: 'Use a passkey, or enter a recovery code.',
  byRecovery: 'Enter a recovery code.',
  next: 'Continue',
  recovery: 'Recovery code',
  useRecovery: 'Use a recovery code',
  useApp: 'Use the authenticator app',
  back: 'Use another account',
  tooLong: 'This sign-in has expired. Sign in again.',
};
