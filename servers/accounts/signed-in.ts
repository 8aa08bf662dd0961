import type { Principal } from '../../core/index.ts';
import { type AnyRoute, type Route, route } from '../http/route.ts';

type SignedInRoute<Body, Query, Params, Output> = Omit<
  Route<Body, Query, Params, Principal, Output>,
  'access' | 'bucket'
> &
  Partial<Pick<Route, 'access' | 'bucket'>>;

/** A route for signed-in callers: `bearer` in the bucket `default`, unless the options say otherwise. */
export const signedIn = <Body, Query, Params, Output>(
  options: SignedInRoute<Body, Query, Params, Output>,
): AnyRoute => route({ access: 'bearer', bucket: 'default', ...options });
