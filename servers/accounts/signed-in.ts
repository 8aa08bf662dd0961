import type { Principal } from '../../core/index.ts';
import { type AnyRoute, type Route, route } from '../http/route.ts';

/** A route for signed-in callers. */
export const signedIn = <Body, Query, Params, Output>(
  options: Route<Body, Query, Params, Principal, Output>,
): AnyRoute => route(options);
