/** Every path of the pages with its title. The server gives out the shell of each, by this list. */
export const titles = {
  '/': 'Welcome',
  '/account/sign-up': 'Create an account',
  '/account/verify': 'Check your email',
  '/account/sign-in': 'Sign in',
  '/account/forgot': 'Forgot your password?',
  '/account/reset': 'Set a new password',
  '/account': 'Profile',
  '/account/security': 'Security',
  '/account/security/two-factor': 'Two-factor sign-in',
  '/account/sessions': 'Sessions',
  '/account/plan': 'Plan',
  '/account/delete': 'Delete account',
};
