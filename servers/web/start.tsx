import type { Pages } from './parts.ts';
import { Forgot } from './start/forgot.tsx';
import { Home } from './start/home.tsx';
import { Reset } from './start/reset.tsx';
import { SignIn } from './start/sign-in.tsx';
import { SignUp } from './start/sign-up.tsx';
import { Verify } from './start/verify.tsx';

export const pages: Pages = {
  '/': Home,
  '/account/sign-up': SignUp,
  '/account/verify': Verify,
  '/account/sign-in': SignIn,
  '/account/forgot': Forgot,
  '/account/reset': Reset,
};
