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
  back: 'You can close this page or view your plan.',
};

export const appAuthorization = {
  as: (place: string) => `Continue to ${place} as`,
  wrong: 'This link is incomplete. Go back to the app and start again.',
};
