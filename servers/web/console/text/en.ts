export * from '../../text/en/kit.ts';
export * from './en/frame.ts';
// `kit.ts` and `frame.ts` both export `signedOut`: the console's own is used.
export { signedOut } from './en/frame.ts';
export * from './en/page-titles.ts';
export * from './en/problems.ts';

/** All texts of the console; this module exports those that all pages share. A language that lacks a text does not compile. */
export type ConsoleTexts = typeof import('./en.ts') &
  typeof import('./en/overview.ts') &
  typeof import('./en/audit.ts') &
  typeof import('./en/installation.ts') &
  typeof import('./en/logs.ts') &
  typeof import('./en/user.ts') &
  typeof import('./en/users.ts') &
  typeof import('./en/proof.ts');
