import { Forgot } from '../../auth/forgot-password.tsx';
import { Home } from '../../auth/home.tsx';
import { Reset } from '../../auth/reset-password.tsx';
import { SignIn } from '../../auth/sign-in.tsx';
import { SignUp } from '../../auth/sign-up.tsx';
import { Verify } from '../../auth/verify-email.tsx';
import type { Pages } from '../../base/load-area.ts';

export const pages: Pages = {
  '/': Home,
  '/account/sign-up': SignUp,
  '/account/verify': Verify,
  '/account/sign-in': SignIn,
  '/account/forgot': Forgot,
  '/account/reset': Reset,
};
