import { CoreError, type Files } from '../../core/index.ts';
import { type AppParts, makeApp } from '../http/app.ts';
import { type HealthParts, healthRoutes } from '../http/health.ts';
import { withReference } from '../http/openapi/with-reference.ts';
import { type AnyRoute, tagged } from '../http/route.ts';
import { trustLoopbackHost } from './loopback-host.ts';
import { metadataRoutes } from './routes.ts';

export interface MetadataAppParts
  extends Omit<AppParts, 'routes' | 'style' | 'authenticate' | 'trusts'>,
    Omit<HealthParts, 'service'> {
  readonly files: Files;
  /** `none`: callers whose `Host` names a loopback address need no secret. */
  readonly auth: 'none' | 'secret';
}

/** Every endpoint of the metadata service, its API reference included. */
export const metadataAppRoutes = (parts: MetadataAppParts): readonly AnyRoute[] =>
  withReference(
    [
      ...metadataRoutes(parts.files),
      ...tagged('Health', healthRoutes({ ...parts, service: 'drop-metadata' })),
    ],
    { ...parts, title: 'Gatehouse file metadata', style: 'metadata', bucket: 'none' },
  );

export const makeMetadataApp = (parts: MetadataAppParts) =>
  makeApp({
    ...parts,
    style: 'metadata',
    // The services share the limiter but count separately.
    hashKey: (key) => parts.hashKey(`metadata ${key}`),
    ...(parts.auth === 'none' && { trusts: trustLoopbackHost }),
    // No route of this service takes an access token.
    authenticate: async () => {
      throw new CoreError('unauthenticated', 'invalid_token', 'This service takes no access tokens.');
    },
    routes: metadataAppRoutes(parts),
  });
