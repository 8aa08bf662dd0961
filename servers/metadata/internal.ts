import { type AnyRoute, type Route, route } from '../http/route.ts';

/** A route for internal callers. They are servers of the product, so it is not limited. */
export const internal = <Body, Query, Params, Output>(
  given: Omit<Route<Body, Query, Params, undefined, Output>, 'access' | 'bucket'>,
): AnyRoute => route({ ...given, access: 'internal', bucket: 'none' });
