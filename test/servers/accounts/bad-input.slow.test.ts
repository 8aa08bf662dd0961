import { testBadInput } from '../bad-input.ts';
import { openPage } from './cookies/jar.ts';
import { signUpEnterprise } from './entitlements/enterprise.ts';
import { allSignInMethods, everyRoute } from './every-route.ts';

testBadInput({
  name: 'account service',
  url: ({ url }) => url,
  ...allSignInMethods(),
  routes: everyRoute,
  admit: async (service) => {
    const user = await signUpEnterprise(service);
    const [secret = ''] = service.composition.internalSecrets;
    const page = openPage(service);
    await page.logIn(user);
    return ({ access }) => {
      if (access === 'open') return {};
      if (access === 'cookie') return page.headers();
      return access.startsWith('bearer')
        ? { Authorization: `Bearer ${user.token}` }
        : { 'x-internal-secret': secret };
    };
  },
  codeIn: 'code',
  codeFor: (_status, code) => code,
  unknownId: 'session_not_found',
});
