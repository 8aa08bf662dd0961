import type { SecurityCode } from '../refusal-codes.ts';

export const security = {
  passwordText: 'A new password signs out your other devices.',
  noPassword: 'No password is set.',
  setPassword: 'Set a password',
  passwordSince: (date: string) => `Changed ${date}.`,
  changePassword: 'Change password',
  current: 'Current password',
  passwordChanged: 'Password changed. Other devices are signed out.',
  newEmail: 'New email',
  emailSent: 'We sent a code to your new email and a notice to the old one.',
  emailCode: 'Code from the new email',
  emailChanged: 'Email changed',
  secondText: 'Also ask for a code from an authenticator app.',
  on: 'On',
  off: 'Off',
  switchOn: 'Turn on',
  switchOff: 'Turn off',
  byPasskey: 'Use my passkeys',
  codesLeft: (left: number) => `${left} of 10 recovery codes left.`,
  held: (time: string) => `Too many wrong codes. Codes work again after ${time}.`,
  newCodes: 'Create new recovery codes',
  newCodesText: 'Your old codes stop working right away.',
};

export const setup = {
  steps: ['Scan', 'Confirm', 'Recovery codes'],
  scan: 'Scan the QR code with your authenticator app, or enter the key by hand.',
  qr: 'QR code; the key is next to it',
  key: 'Key',
  previous: 'Show the QR code',
  code: 'Code from your authenticator app',
  codesText: 'Each recovery code signs you in once if you lose your second factor.',
  codesOnce: 'You will not see them again.',
  paper: (product: string) => `Recovery codes for ${product}`,
  leaveTitle: 'Leave without saving your recovery codes?',
  leaveText: 'They are shown only once. Without them you cannot sign in if you lose your second factor.',
  leave: 'Leave',
  stay: 'Stay',
  download: 'Download',
  print: 'Print',
  saved: 'I have saved my recovery codes',
  done: 'Finish',
  fileName: 'recovery-codes.txt',
};

export const passkeys = {
  title: 'Passkeys',
  lead: 'Sign in with your fingerprint, face or PIN, without a password.',
  add: 'Add a passkey',
  made: 'Passkey added',
  /** The name of a new passkey, also in mails. */
  dated: (date: string) => `Passkey ${date}`,
  none: 'This browser does not support passkeys.',
  name: 'Name of the passkey',
  rename: 'Rename',
  removed: 'Passkey removed',
  synced: 'On several devices',
  added: (date: string) => `Added ${date}`,
  used: (date: string) => `last used ${date}`,
  unused: 'not used yet',
};

export const identities = {
  title: 'Connected accounts',
  lead: 'Accounts at other services that sign you in here.',
  since: (date: string) => `connected ${date}`,
  add: (name: string) => `Connect ${name}`,
  remove: 'Disconnect',
  removed: 'Disconnected',
};

export const domain = {
  lead: 'Share your files under your own domain.',
  hint: 'For example, files.example.com',
  set: 'Set domain',
  due: 'Add this record to the DNS of your domain, then check it.',
  recordType: 'Type',
  recordValue: 'Value',
  check: 'Check now',
  waiting: 'Waiting for the record',
  verified: 'Verified',
  remove: 'Remove domain',
  removed: 'Domain removed',
};

/** The refusals that only sign-in methods and the domain receive. */
export const securityCodes: Readonly<Record<SecurityCode, string>> = {
  dns_unavailable: 'The domain could not be looked up. Try again in a minute.',
  domain_not_set: 'Set a domain first.',
  domain_not_verified: 'The TXT record was not found yet. Changes can take an hour.',
  domain_taken: 'Another account uses this domain.',
  enterprise_only: 'A custom domain is part of the Enterprise plan.',
  identity_not_found: 'This account is not connected.',
  invalid_domain: 'Enter a domain name, such as files.example.com.',
  invalid_name: 'The name must have 1 to 64 characters.',
  last_second_factor:
    'This is your only second factor. Add another one first, or turn two-factor authentication off.',
  last_sign_in_method: 'This is your last sign-in method. Add another one first.',
  passkey_taken: 'This passkey is already in use.',
  reserved_domain: 'This domain cannot be used.',
  same_email: 'This is already your email.',
  too_many_domains: 'Your domain was changed too often. Try again after {time}.',
  too_many_passkeys: 'You can add up to 20 passkeys.',
  two_factor_not_pending: 'This setup has expired. Start again.',
};
