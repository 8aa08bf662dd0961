import type { Accounts } from '../../core/index.ts';
import type { AnyRoute } from '../http/route.ts';
import { adminRoutes } from './admin.ts';
import { avatarRoutes } from './avatar.ts';
import { customDomainRoutes } from './custom-domain.ts';
import { loginRoutes } from './login.ts';
import { passwordRoutes } from './password.ts';
import { profileRoutes } from './profile.ts';
import { registrationRoutes } from './registration.ts';
import { serviceRoutes } from './services.ts';
import { sessionRoutes } from './sessions.ts';
import { tokenRoutes } from './tokens.ts';
import { twoFactorRoutes } from './two-factor.ts';

/** Every endpoint of the account service but its health. */
export const accountRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  ...registrationRoutes(accounts),
  ...loginRoutes(accounts),
  ...twoFactorRoutes(accounts),
  ...passwordRoutes(accounts),
  ...profileRoutes(accounts),
  ...sessionRoutes(accounts),
  ...avatarRoutes(accounts),
  ...customDomainRoutes(accounts),
  ...serviceRoutes(accounts),
  ...adminRoutes(accounts),
  ...tokenRoutes(accounts),
];
