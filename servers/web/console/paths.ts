import type { Titles } from './text/en/page-titles.ts';

/** Every path with its area, which is loaded when one of its pages is opened. `{id}` stands for a user's id. */
export const areas = {
  '/': 'overview',
  '/sign-in': 'sign-in',
  '/users': 'users',
  '/users/{id}': 'user',
  '/audit': 'audit',
  '/mails': 'logs',
  '/deliveries': 'logs',
  '/jobs': 'installation',
  '/keys': 'installation',
  '/statistics': 'statistics',
} as const satisfies Readonly<Record<keyof Titles, string>>;

type Place = keyof typeof areas;
export type Area = (typeof areas)[Place];

const USER = /^\/users\/([^/]+)$/;

export const placeOf = (path: string): Place | undefined => {
  if (USER.test(path)) return '/users/{id}';
  return Object.hasOwn(areas, path) ? (path as Place) : undefined;
};

/** The user's id in the path, as it stands there: an id has nothing to decode. */
export const userIn = (path: string): string => USER.exec(path)?.[1] ?? '';

/** The texts of each area, beside those of all pages: names of modules in `text/en` and `text/pl`. */
export const textsOf = {
  'sign-in': ['proof'],
  overview: ['overview'],
  users: ['users'],
  user: ['users'],
  audit: ['audit'],
  logs: ['logs'],
  installation: ['installation'],
  statistics: ['overview'],
} as const satisfies Readonly<Record<Area, readonly string[]>>;

/** The texts of the areas, and `user`, which `user.tsx` loads with a user's details. */
export type TextName = (typeof textsOf)[Area][number] | 'user';
