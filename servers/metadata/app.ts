import { CoreError } from '../../core/index.ts';
import { type HealthParts, healthRoutes } from '../http/health.ts';
import { type AppParts, makeApp } from '../http/mount.ts';

/** What the metadata service is made of. */
export type MetadataAppParts = Omit<AppParts, 'routes' | 'style' | 'authenticate'> &
  Omit<HealthParts, 'service'>;

/** The metadata service: its health. */
export const makeMetadataApp = (parts: MetadataAppParts) =>
  makeApp({
    ...parts,
    style: 'metadata',
    // No route of this service takes an access token.
    authenticate: async () => {
      throw new CoreError('unauthenticated', 'invalid_token', 'This service takes no access tokens.');
    },
    routes: healthRoutes({ ...parts, service: 'drop-metadata' }),
  });
