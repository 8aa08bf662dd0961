import { accountRoutes } from '../../../servers/accounts/routes.ts';
import { testUnknownRoutes } from '../unknown-routes.ts';

testUnknownRoutes({
  name: 'account service',
  url: ({ url }) => url,
  routes: ({ composition }) => accountRoutes(composition.accounts),
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
    '/api/v1/meta',
  ],
});
