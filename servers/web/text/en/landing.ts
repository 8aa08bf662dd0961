export const undo = {
  lead: 'Did someone else change your email? Enter the old email and the code that we sent to it. All devices are signed out.',
  email: 'Old email',
  button: 'Undo the change',
  done: 'Your old email is back.',
  restored: 'The account had been deleted, and is back.',
  password: 'The password was removed. Set a new one before you sign in.',
  secondFactor: 'The second factor or its recovery codes were removed.',
  passkey: (name: string) => `A passkey was removed: ${name}`,
  identity: (provider: string) => `A sign-in method was removed: ${provider}`,
};

export const landing = {
  proved: 'Confirmed. You can go on now.',
  toSignIn: 'Go to sign-in',
  toSecurity: 'Back to security',
  emailNeeded: 'Enter your email. We send a code to confirm that it is yours.',
  gone: 'Your account is deleted.',
  home: 'To the start',
  buying: 'We are processing your purchase.',
  late: 'This takes longer than usual. Your plan will be active within a minute or two.',
  bought: 'Your plan will be active within a few seconds. You can close this page.',
  active: (plan: string) => `Your plan ${plan} is active.`,
  back: 'You can close this page, or look at your plan.',
  toPlan: 'Your plan',
};

export const appAuthorization = {
  as: (place: string) => `Continue to ${place} as`,
  button: 'Continue',
  busy: 'Opening…',
  other: 'Use another account',
  wrong: 'This link is incomplete. Go back to the app and start again.',
};
