import { metadataRoutes } from '../../../servers/metadata/routes.ts';
import { testUnknownRoutes } from '../unknown-routes.ts';

testUnknownRoutes({
  name: 'metadata service',
  url: ({ metadataUrl }) => metadataUrl,
  routes: ({ composition }) => metadataRoutes(composition.files),
  codeIn: 'error',
  paths: [
    '/api/v1',
    '/API/V1/META',
    '/api/v1/meta/',
    '/api/v1//meta',
    '/api/v1/meta/a/b',
    '/api/v1/dek',
    '/api/v1/dek/wrap/',
    '/api/v1/e/meta',
    '/api/v2/meta',
    '/api/auth/login',
    '/api/admin/users',
  ],
});
