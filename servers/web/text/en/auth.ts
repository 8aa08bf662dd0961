export { signIn } from './sign-in.ts';

export const auth = {
  home: {
    lead: 'Sign in to your account, or create one.',
    trial: 'For trying out',
    mails: 'Emails are saved in',
    reference: 'API reference',
    console: 'Operator console',
    curl: 'Or call the API:',
  },
  signUp: {
    button: 'Create account',
    busy: 'Creating…',
    have: 'Already have an account?',
    signInThere: 'Sign in with it',
    consent: {
      both: 'By creating an account, you agree to the {terms} and the {privacy}.',
      terms: 'By creating an account, you agree to the {terms}.',
      privacy: 'By creating an account, you agree to the {privacy}.',
      termsName: 'Terms of Service',
      privacyName: 'Privacy Policy',
    },
  },
  verify: {
    sent: 'We sent a six-digit code to',
    enterEmail: 'Enter your email and the six-digit code that we sent to it.',
    again: 'Send again',
    againIn: (seconds: number) => `(in ${seconds} s)`,
    sentAgain: 'A new code is on its way.',
    passwordHint: 'The password that you signed up with',
  },
  signIn: {
    fresh: 'New here?',
    passwordSet: 'Your new password is set. You can now sign in.',
    undone: 'Your old email is back. Sign in with it.',
  },
  forgot: {
    lead: 'Enter your email. If it has an account, we will send you a code.',
    busy: 'Sending…',
    back: 'Back to sign-in',
    haveCode: 'I have a code',
  },
  reset: {
    sent: 'If an account exists, we sent a code to',
    codeHint: '10 letters and digits, such as ABCDE-12345',
    button: 'Set password',
    busy: 'Setting…',
    again: 'Send a new code',
  },
};
