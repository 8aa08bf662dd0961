export const proof = {
  title: 'Confirm that it is you',
  text: 'Confirm your identity to make this change.',
  code: 'Code from your authenticator app, or a recovery code',
  none: 'Sign out and in again, then make the change again.',
  button: 'Confirm',
};
