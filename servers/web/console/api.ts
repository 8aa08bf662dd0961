import { callPage } from '../../client/page-client.ts';
import { outcome, sendInSession } from '../base/api.ts';
import type { Outcome } from '../kit/problem.ts';

type Query = Readonly<Record<string, string | number | null | undefined>>;

const withoutEmpty = (query: Query): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(query)
      .map(([name, value]) => [name, String(value ?? '')] as const)
      .filter(([, value]) => value !== ''),
  );

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Calls a route under `/api/admin/`. `T` is the body of its response. */
export const call = <T>(method: Method, path: string, body: object): Promise<Outcome<T>> =>
  outcome(callPage<T>(sendInSession, method, `/api/admin/${path}`, { body }));

/** Reads from a route under `/api/admin/`. Empty parameters are left out of the query. */
export const read = <T>(path: string, query: Query = {}): Promise<Outcome<T>> =>
  outcome(
    callPage<T>(sendInSession, 'GET', `/api/admin/${path}`, { params: { query: withoutEmpty(query) } }),
  );

/** The path of a route about one user, after `/api/admin/`. */
export const ofUser = (id: string, suffix = ''): string => `users/${encodeURIComponent(id)}${suffix}`;
