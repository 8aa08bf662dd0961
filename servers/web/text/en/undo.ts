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
