import type { Accounts } from '../../../core/index.ts';
import type { AnyRoute } from '../../http/route.ts';
import { ownPasskeyRoutes } from './own.ts';
import { usePasskeyRoutes } from './use.ts';

/** The reference says of each what it answers where there are no passkeys. */
const offElsewhere = (one: AnyRoute): AnyRoute => {
  const { description = '', errors = [] } = one.answers[404] ?? {};
  const off = 'Passkeys are off.';
  const answer = {
    description: `${description} ${off}`.trim(),
    errors: [...new Set([...errors, 'not_found'])],
  };
  return { ...one, answers: { ...one.answers, 404: answer } };
};

/** Passkeys (WebAuthn Level 3), where they are on. */
export const passkeyRoutes = (accounts: Accounts): readonly AnyRoute[] =>
  [...ownPasskeyRoutes(accounts), ...usePasskeyRoutes(accounts)].map(offElsewhere);
