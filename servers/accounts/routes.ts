import type { Accounts } from '../../core/index.ts';
import { type AnyRoute, tagged } from '../http/route.ts';
import { adminRoutes } from './admin.ts';
import { avatarRoutes } from './avatar.ts';
import { customDomainRoutes } from './custom-domain.ts';
import { emailRoutes } from './email-change.ts';
import { entitlementRoutes } from './entitlements.ts';
import { tokenRoutes } from './jwks-and-introspection.ts';
import { managePasskeyRoutes } from './passkeys/manage.ts';
import { passkeySignInRoutes } from './passkeys/sign-in.ts';
import { passwordRoutes } from './password.ts';
import { profileRoutes } from './profile.ts';
import { registrationRoutes } from './registration.ts';
import { sessionRoutes } from './sessions.ts';
import { loginRoutes } from './sign-in.ts';
import { twoFactorRoutes } from './two-factor.ts';

/** Documents the response of a route while passkeys are off. */
const describeOff = (route: AnyRoute): AnyRoute => {
  const { description = '', errors = [] } = route.answers[404] ?? {};
  const off = 'Passkeys are off.';
  const answer = {
    description: `${description} ${off}`.trim(),
    errors: [...new Set([...errors, 'not_found'])],
  };
  return { ...route, answers: { ...route.answers, 404: answer } };
};

/** Passkeys (WebAuthn Level 3), where they are on. */
const passkeyRoutes = (accounts: Accounts): readonly AnyRoute[] =>
  [...managePasskeyRoutes(accounts), ...passkeySignInRoutes(accounts)].map(describeOff);

/** All endpoints of the account service except health and reference. */
export const accountRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  ...tagged('Sign-up', registrationRoutes(accounts)),
  ...tagged('Login', loginRoutes(accounts)),
  ...tagged('Second factor', twoFactorRoutes(accounts)),
  ...(accounts.passkeys.site() === null ? [] : tagged('Passkeys', passkeyRoutes(accounts))),
  ...tagged('Passwords', passwordRoutes(accounts)),
  ...tagged('The account', [...profileRoutes(accounts), ...emailRoutes(accounts)]),
  ...tagged('Sessions', sessionRoutes(accounts)),
  ...tagged('Avatar', avatarRoutes(accounts)),
  ...tagged('Custom domain', customDomainRoutes(accounts)),
  ...tagged('Entitlements and connections', entitlementRoutes(accounts)),
  ...tagged('Operators', adminRoutes(accounts)),
  ...tagged('For services beside this one', tokenRoutes(accounts)),
];
