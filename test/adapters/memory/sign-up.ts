import type { InMemory } from '../../../adapters/memory.ts';
import { tokensIn } from '../../core/accounts/open-core.ts';

export const adaCredentials = { email: 'ada@example.com', password: 'correct horse battery' };

/** Registers, verifies the email, and refreshes the tokens. */
export const signUp = async ({ accounts, caller, mails, settle }: InMemory) => {
  await accounts.register(adaCredentials, caller);
  await settle();
  const [code = ''] = /\d{6}/.exec(mails.at(-1)?.text ?? '') ?? [];
  const { refreshToken } = tokensIn(await accounts.verifyEmail({ ...adaCredentials, code }, caller));
  const { token } = await accounts.refresh({ refreshToken }, caller);
  const { user } = await accounts.authenticate(token);
  return { token, id: user.id };
};
