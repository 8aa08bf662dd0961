export const titles = {
  '/': 'Overview',
  '/sign-in': 'Sign in',
  '/users': 'Users',
  '/users/{id}': 'User',
  '/audit': 'Audit log',
  '/mails': 'Emails',
  '/deliveries': 'Deliveries',
  '/jobs': 'Jobs',
  '/keys': 'Keys',
  '/statistics': 'Statistics',
};

export type Titles = typeof titles;
