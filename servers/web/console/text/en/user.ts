export const user = {
  id: 'ID',
  access: (tier: string, by: string) => `Access: ${tier}, ${by}`,
  by: { grant: 'by grant', billing: 'by billing', claim: 'claimed by the user', free: 'by default' },
  grant: 'Grant',
  billing: 'Billing',
  claim: 'Claim',
  unknown: 'not recorded',
  files: 'Files',
  storage: 'Storage',
  keys: 'API keys',
  account: 'Account',
  changed: 'Updated (UTC)',
  has: 'Set',
  codes: 'Recovery codes',
  left: (count: number) => `${count} left`,
  role: 'Operator',
  held: {
    password: 'Sign-in is locked after too many wrong passwords.',
    verification: 'Email verification is locked after too many wrong codes.',
    'two-factor': 'Two-factor authentication is locked after too many wrong codes.',
  },
  sections: { sessions: 'Sessions', audit: 'Audit log', billing: 'Billing', mails: 'Emails' },
  device: 'Device',
  address: 'Address',
  begun: 'Signed in (UTC)',
  used: 'Last active (UTC)',
  console: 'Console',
  older: 'Older ›',
  noSessions: 'No active sessions.',
  noBilling: 'No purchases.',
  noMails: 'No emails to this user are waiting.',
  plan: 'Plan',
  price: 'Price',
  renewal: 'Period ends (UTC)',
  cancelled: 'won’t renew',
  subscriptions: 'Subscriptions',
  deliveries: 'Deliveries from the payment provider',
};

/** For each action the name of its button, its effect, and the message after it. */
export const actions = {
  title: 'Actions',
  danger: 'Restrict or delete',
  until: 'Duration',
  lengths: { '': 'No end date', '1': '1 day', '7': '7 days', '30': '30 days', '365': '1 year' },
  storage: 'Storage, such as 1 TB',
  emptyLimit: 'Leave empty to keep the current limit.',
  role: 'Role',
  list: {
    tier: {
      name: 'Set tier',
      effect: 'The tier applies at once and overrides billing until you clear it.',
      done: 'Tier set',
    },
    clearTier: {
      name: 'Clear tier',
      effect: 'Billing decides the tier again. Custom limits stay.',
      done: 'Tier cleared',
    },
    endSessions: {
      name: 'End all sessions',
      effect: 'The user is signed out on all devices and can sign in again.',
      done: 'Sessions ended',
    },
    endSession: {
      name: 'End session',
      effect: 'The user is signed out on this device and can sign in again.',
      done: 'Session ended',
    },
    resendCode: {
      name: 'Resend code',
      effect: 'We send a new code to verify the email. Earlier codes stop working.',
      done: 'Code sent',
    },
    verify: {
      name: 'Verify email',
      effect: 'Marks the email as verified. Do this only if you’re sure that it belongs to the user.',
      done: 'Email verified',
    },
    unlock: {
      name: 'Unlock',
      effect: 'Ends all locks after wrong passwords and codes. The user can try again at once.',
      done: 'Unlocked',
    },
    resetTwoFactor: {
      name: 'Reset two-factor',
      effect:
        'Turns off two-factor authentication, ends all sessions and notifies the user. The password alone is then enough.',
      done: 'Two-factor authentication is off',
    },
    ban: {
      name: 'Ban…',
      effect: 'The user can only see their profile, sign out and delete the account.',
      done: 'Banned',
    },
    unban: { name: 'Unban', effect: 'The ban ends at once.', done: 'Unbanned' },
    disable: {
      name: 'Disable…',
      effect: 'The user can only see their profile, sign out and delete the account. This isn’t a ban.',
      done: 'Disabled',
    },
    enable: { name: 'Enable', effect: 'The user can use the account again at once.', done: 'Enabled' },
    export: {
      name: 'Export',
      effect: 'Downloads everything stored about the user, as article 15 of the GDPR requires.',
      done: 'Exported',
    },
    delete: {
      name: 'Delete…',
      effect: 'Deletes the account and all files, and cancels the subscription. This can’t be undone.',
      done: 'Deleted',
    },
    appoint: {
      name: 'Set operator role',
      effect:
        'Makes the user an operator. Developers can do everything except export or delete users and set operator roles; founders can do everything.',
      done: 'Operator role set',
    },
    dismiss: {
      name: 'Remove operator role',
      effect: 'The user is no longer an operator.',
      done: 'Operator role removed',
    },
  },
};

/** The refusals that only actions on a user receive. */
export const userCodes = {
  already_verified: 'This email is already verified.',
  changed_meanwhile: 'This account has changed in the meantime. We’ve reloaded it: check it, then try again.',
  invalid_limit: 'Enter a size such as 500 GB or 1 TB, and API keys as a whole number.',
  invalid_until: 'Choose a time in the future.',
  last_founder:
    'No other founder could sign in to the console. First make somebody with two-factor authentication a founder.',
  own_account: 'You cannot do this to your own account. Ask another operator.',
  too_many_code_mails: 'Too many codes were sent to this email. Try again after {time}.',
};
