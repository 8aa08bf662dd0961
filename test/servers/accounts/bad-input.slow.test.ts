import { accountRoutes } from '../../../servers/accounts/routes.ts';
import { testBadInput } from '../bad-input.ts';
import { signUpEnterprise } from './entitlements/enterprise.ts';

testBadInput({
  name: 'account service',
  url: ({ url }) => url,
  routes: ({ composition }) => accountRoutes(composition.accounts),
  admit: async (service) => {
    const { token } = await signUpEnterprise(service);
    const [secret = ''] = service.composition.internalSecrets;
    return ({ access }) => {
      if (access === 'open') return {};
      return access.startsWith('bearer')
        ? { Authorization: `Bearer ${token}` }
        : { 'x-internal-secret': secret };
    };
  },
  codeIn: 'code',
  codeFor: (_status, code) => code,
  unknownId: 'session_not_found',
});
