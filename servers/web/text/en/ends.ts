export const undo = {
  lead: 'Your email was changed and it was not you? Enter the old email and the code that was mailed to it. All devices are signed out.',
  email: 'Old email',
  act: 'Take the change back',
};

export const ends = {
  proved: 'Confirmed. You can go on now.',
  toSignIn: 'Go to sign-in',
  emailNeeded: 'Enter your email. A code goes to it, to show that it is yours.',
  gone: 'Your account is deleted.',
  home: 'To the start',
  buying: 'Your purchase is on its way to us.',
  late: 'This takes longer than usual. Your plan is active within a minute or two.',
  bought: 'Your plan is active within a few seconds. You can close this page.',
  active: (plan: string) => `Your plan ${plan} is active.`,
  back: 'You can close this page, or look at your plan.',
  toPlan: 'Your plan',
};

export const handover = {
  as: (place: string) => `Continue to ${place} as`,
  act: 'Continue',
  busy: 'Opening…',
  other: 'Use another account',
  wrong: 'This link is not complete. Go back to the app and begin again.',
};
