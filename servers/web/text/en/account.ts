export { proof } from './proof.ts';

export const account = {
  nav: 'Your account',
  connected: 'Connected',
  saved: 'Saved',
  details: 'Details',
  remove: 'Remove',
  leaving: 'Opening…',
  forgotPassword: 'Forgot password?',
  newPassword: 'New password',
  passwordHint: '8 characters or more',
  sendCode: 'Send the code',
  changeEmail: 'Change email',
  plan: 'Your plan',
  toSecurity: 'Back to security',
  passkeyBusy: 'Waiting for your passkey…',
  support: 'Help',
  terms: 'Terms',
  privacy: 'Privacy',
  with: (provider: string) => `Continue with ${provider}`,
  restricted: {
    account_banned: 'This account is banned. You can sign out or delete it.',
    account_disabled: 'This account is disabled. You can sign out or delete it.',
  },
};
