import type { Accounts } from '../../../core/index.ts';
import type { AnyRoute } from '../../http/route.ts';
import { managePasskeyRoutes } from './manage.ts';
import { passkeySignInRoutes } from './sign-in.ts';

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
export const passkeyRoutes = (accounts: Accounts): readonly AnyRoute[] =>
  [...managePasskeyRoutes(accounts), ...passkeySignInRoutes(accounts)].map(describeOff);
