import { testUnknownRoutes } from '../unknown-routes.ts';
import { allSignInMethods, everyRoute } from './every-route.ts';

testUnknownRoutes({
  name: 'account service',
  url: ({ url }) => url,
  ...allSignInMethods(),
  routes: everyRoute,
  codeIn: 'code',
  paths: [
    '/api/auth',
    '/API/AUTH/LOGIN',
    '/api/auth/login/',
    '/api//auth/login',
    '/api/auth/login%2f',
    '/api/auth/./login',
    '/api/auth/sessions/a/b',
    '/api/auth/sessions/',
    '/api/auth/providers/',
    '/api/auth/providers/example',
    '/api/auth/providers/example/begin/x',
    '/api/auth/passkeys/',
    '/api/v1/meta',
  ],
});
