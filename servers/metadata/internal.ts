import { type AnyRoute, type Route, route } from '../http/route.ts';

/** A route for internal callers; its one caller is a server, so nothing is limited. */
export const internal = <Body, Query, Params, Output>(
  given: Omit<Route<Body, Query, Params, undefined, Output>, 'access' | 'bucket'>,
): AnyRoute => route({ ...given, access: 'internal', bucket: 'none' });
