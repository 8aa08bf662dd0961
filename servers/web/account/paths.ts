import type { titles } from '../text/en/page-titles.ts';

/** The areas of the pages, each loaded when one of its pages is opened. */
export type Area = 'auth' | 'account' | 'security' | 'setup' | 'billing' | 'return' | 'landing';

/** Every path of the pages, with its area. */
export const areas: Readonly<Record<keyof typeof titles, Area>> = {
  '/': 'auth',
  '/account/sign-up': 'auth',
  '/account/verify': 'auth',
  '/account/sign-in': 'auth',
  '/account/forgot': 'auth',
  '/account/reset': 'auth',
  '/account': 'account',
  '/account/security': 'security',
  '/account/security/two-factor': 'setup',
  '/account/sessions': 'account',
  '/account/plan': 'billing',
  '/account/domain': 'setup',
  '/account/delete': 'account',
  '/account/return': 'return',
  '/account/continue': 'landing',
  '/account/undo': 'landing',
  '/account/gone': 'landing',
  '/billing/success': 'landing',
  '/billing/return': 'landing',
};

/** The texts of each area, beside those of all pages: names of modules in `text/en` and `text/pl`. */
export const textsOf = {
  auth: ['auth'],
  account: ['settings'],
  security: ['security'],
  setup: ['security'],
  billing: ['settings'],
  return: ['auth', 'landing'],
  landing: ['auth', 'landing'],
} as const satisfies Readonly<Record<Area, readonly string[]>>;

export type TextName = (typeof textsOf)[Area][number];
