export * from './en/account.ts';
export * from './en/kit.ts';
export * from './en/page-titles.ts';
export * from './en/problems.ts';

/** Every text of the account pages; here are those that all of them need. Another language that lacks one does not compile. */
export type Texts = typeof import('./en.ts') &
  typeof import('./en/auth.ts') &
  typeof import('./en/settings.ts') &
  typeof import('./en/security.ts') &
  typeof import('./en/landing.ts');
