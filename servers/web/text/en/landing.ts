export const landing = {
  proved: 'Confirmed. You can go on now.',
  toSignIn: 'Go to sign-in',
  emailNeeded: 'Enter your email. We will send you a code to confirm that it is yours.',
  gone: 'Your account is deleted.',
  home: 'Go to the start page',
  buying: 'We are processing your purchase.',
  late: 'This takes longer than usual. Your plan will be active within a minute or two.',
  bought: 'Your plan will be active within a few seconds. You can close this page.',
  active: (plan: string) => `Your ${plan} plan is active.`,
  activeUnnamed: 'Your plan is active.',
  back: 'You can close this page or view your plan.',
};

export const appAuthorization = {
  as: (place: string) => `Continue to ${place} as`,
  wrong: 'This link is incomplete. Go back to the app and start again.',
};

export const undo = {
  lead: 'Did someone else change your email? Enter your old email and the code that we sent to it. This signs out all devices.',
  email: 'Old email',
  button: 'Undo the change',
  done: 'Your old email is back.',
  restored: 'The account had been deleted, and is back.',
  password: 'The password was removed. Set a new one before you sign in.',
  secondFactor: 'The second factor or its recovery codes were removed.',
  passkey: (name: string) => `A passkey was removed: ${name}`,
  identity: (provider: string) => `A sign-in method was removed: ${provider}`,
};
