import { testBadInput } from '../bad-input.ts';
import { signUpEnterprise } from './entitlements/enterprise.ts';
import { everyRoute, everyWayIn } from './every-route.ts';

testBadInput({
  name: 'account service',
  url: ({ url }) => url,
  ...everyWayIn(),
  routes: everyRoute,
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
