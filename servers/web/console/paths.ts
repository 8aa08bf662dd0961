import type { Titles } from './text/en/titles.ts';

/** The parts of the console that are loaded when one of their pages is opened. */
export type Area = 'sign-in' | 'overview' | 'users' | 'user' | 'logs' | 'statistics';

/** Every path of the console, with the part that shows it. `{id}` stands for what names a user. */
export const areas: Readonly<Record<keyof Titles, Area>> = {
  '/': 'overview',
  '/sign-in': 'sign-in',
  '/users': 'users',
  '/users/{id}': 'user',
  '/audit': 'logs',
  '/mails': 'logs',
  '/deliveries': 'logs',
  '/jobs': 'logs',
  '/keys': 'logs',
  '/statistics': 'statistics',
};

export type Place = keyof typeof areas;

const USER = /^\/users\/([^/]+)$/;

/** The page that stands at a path; undefined where there is none. */
export const placeOf = (path: string): Place | undefined => {
  if (USER.test(path)) return '/users/{id}';
  return Object.hasOwn(areas, path) ? (path as Place) : undefined;
};

/** What names the user of a page. */
export const userIn = (path: string): string => decodeURIComponent(USER.exec(path)?.[1] ?? '');

/** The texts of each part, beside those that all pages need: the names of modules in `text/en` and `text/pl`. */
export const textsOf = {
  'sign-in': ['proof'],
  overview: ['figures'],
  users: ['people'],
  user: ['people'],
  logs: ['logs'],
  statistics: ['figures'],
} as const satisfies Readonly<Record<Area, readonly string[]>>;

export type TextName = (typeof textsOf)[Area][number];
