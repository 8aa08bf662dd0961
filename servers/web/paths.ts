import type { ComponentType } from 'preact';
import type { Texts } from './text/en.ts';

/** The parts that are loaded when one of their pages is opened. */
export type Area = 'start' | 'settings' | 'security' | 'billing' | 'return' | 'ends';

/** Every path of the pages, with the part that shows it. */
export const areas: Readonly<Record<keyof Texts['titles'], Area>> = {
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

/** The pages of a part, by their paths. */
export type Pages = Readonly<Partial<Record<string, ComponentType>>>;
