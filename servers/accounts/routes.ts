import type { Accounts } from '../../core/index.ts';
import { type AnyRoute, tagged } from '../http/route.ts';
import { adminRoutes } from './admin.ts';
import { avatarRoutes } from './avatar.ts';
import { customDomainRoutes } from './custom-domain.ts';
import { emailRoutes } from './email-change.ts';
import { entitlementRoutes } from './entitlements.ts';
import { tokenRoutes } from './jwks-and-introspection.ts';
import { passkeyRoutes } from './passkeys.ts';
import { passwordRoutes } from './password.ts';
import { profileRoutes } from './profile.ts';
import { registrationRoutes } from './registration.ts';
import { sessionRoutes } from './sessions.ts';
import { signInRoutes } from './sign-in.ts';
import { twoFactorRoutes } from './two-factor.ts';

/** The endpoints that need only the accounts of the core; `accountsAppRoutes` adds those that need more. */
export const accountRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  ...tagged('Sign-up', registrationRoutes(accounts)),
  ...tagged('Login', signInRoutes(accounts)),
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
