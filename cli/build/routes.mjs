import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A stub for use cases that has every member. The build calls no route but `/openapi.json`, which needs no use case. */
const hollow = new Proxy(() => hollow, { get: () => hollow });

/** Imports a module from a folder of compiled modules. */
export const load = (folder, name) => import(pathToFileURL(join(folder, `${name}.js`)).href);

/** The routes of all services, by the service's name. `documented`: what their descriptions state, such as the rate limits. */
export const loadRoutes = async (folder, documented = {}) => {
  const [{ accountsAppRoutes }, { consoleAppRoutes }, { metadataAppRoutes }] = await Promise.all([
    load(folder, 'servers/accounts/app'),
    load(folder, 'servers/console/app'),
    load(folder, 'servers/metadata/app'),
  ]);
  const calls = {
    accounts: hollow,
    billing: hollow,
    sandbox: hollow,
    files: hollow,
    installation: hollow,
    checks: [],
  };
  // All optional routes are enabled.
  const options = { ...documented, ...calls, https: true, cookieOrigins: () => [] };
  return {
    accounts: accountsAppRoutes(options),
    metadata: metadataAppRoutes(options),
    console: consoleAppRoutes({ ...options, consoleOrigin: () => '' }),
  };
};
