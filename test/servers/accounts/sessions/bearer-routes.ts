import type { TestService } from '../../../support/service.ts';
import { everyRoute } from '../every-route.ts';

/** Stands for any id in a path. */
const SOME_ID = '0199a0a0-0000-7000-8000-000000000000';

/** Every route of the account service that requires a bearer token, from its table of routes. */
export const bearerRoutes = (service: TestService) =>
  everyRoute(service)
    .filter(({ access }) => access.startsWith('bearer'))
    .map(({ method, path, access, body }) => ({
      name: `${method} ${path}`,
      method,
      path: path.replaceAll(/\{\w+\}/g, SOME_ID),
      /** Whether banned and disabled users may call it, too. */
      restrictedToo: access === 'bearer_restricted',
      /** Whether a missing body is refused. */
      needsBody: (body?.required ?? []).length > 0,
    }));
