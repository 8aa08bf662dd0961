export * from './en/account.ts';
export * from './en/kit.ts';
export * from './en/page-titles.ts';
export * from './en/problems.ts';

/** All texts of the account pages; this module exports those of every page. A language that lacks a text does not compile. */
export type Texts = typeof import('./en.ts') &
  typeof import('./en/auth.ts') &
  typeof import('./en/settings.ts') &
  typeof import('./en/security.ts') &
  typeof import('./en/landing.ts');
