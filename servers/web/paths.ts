import type { titles } from './text/en/titles.ts';

/** The parts that are loaded when one of their pages is opened. */
export type Area = 'start' | 'settings' | 'security' | 'billing' | 'return' | 'ends';

/** Every path of the pages, with the part that shows it. */
export const areas: Readonly<Record<keyof typeof titles, Area>> = {
  '/': 'start',
  '/account/sign-up': 'start',
  '/account/verify': 'start',
  '/account/sign-in': 'start',
  '/account/forgot': 'start',
  '/account/reset': 'start',
  '/account': 'settings',
  '/account/security': 'security',
  '/account/security/two-factor': 'security',
  '/account/sessions': 'settings',
  '/account/plan': 'billing',
  '/account/domain': 'billing',
  '/account/delete': 'settings',
  '/account/return': 'return',
  '/account/continue': 'ends',
  '/account/undo': 'ends',
  '/account/gone': 'ends',
  '/billing/success': 'ends',
  '/billing/return': 'ends',
};

/** The texts of each part, beside those that all pages need: the names of modules in `text/en` and `text/pl`. */
export const textsOf = {
  start: ['start'],
  settings: ['settings'],
  security: ['security'],
  billing: ['settings'],
  return: ['start', 'ends'],
  ends: ['start', 'ends'],
} as const satisfies Readonly<Record<Area, readonly string[]>>;

export type TextName = (typeof textsOf)[Area][number];
