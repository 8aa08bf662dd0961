import type { ComponentType } from 'preact';
import type { Texts } from './text/en.ts';

/** The parts that are loaded when one of their pages is opened. */
export type Area = 'start' | 'settings';

/** Every path of the pages, with the part that shows it. */
export const areas: Readonly<Record<keyof Texts['titles'], Area>> = {
  '/': 'start',
  '/account/sign-up': 'start',
  '/account/verify': 'start',
  '/account/sign-in': 'start',
  '/account/forgot': 'start',
  '/account/reset': 'start',
  '/account': 'settings',
  '/account/security': 'settings',
  '/account/security/two-factor': 'settings',
  '/account/sessions': 'settings',
  '/account/plan': 'settings',
  '/account/delete': 'settings',
};

/** The pages of a part, by their paths. */
export type Pages = Readonly<Partial<Record<string, ComponentType>>>;
