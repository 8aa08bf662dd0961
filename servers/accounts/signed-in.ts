import type { Identity } from '../../core/index.ts';
import { type AnyRoute, type Route, route } from '../http/route.ts';

/** A route whose caller has logged in. */
export const signedIn = <Body, Query, Params, Output>(
  given: Route<Body, Query, Params, Identity, Output>,
): AnyRoute => route(given);
