import { object, optional, type TypeOf } from '../../schema.ts';
import { newAccount } from '../account.ts';
import { addUnverifiedAccount } from '../add-unverified-account.ts';
import type { Caller } from '../caller.ts';
import type { CodeMailed } from '../code-mail-limits.ts';
import type { Deps } from '../deps.ts';
import { acceptDisplayName, NEW_DISPLAY_NAME } from '../display-name.ts';
import { canonicalEmail, EMAIL } from '../email.ts';
import { chooseLanguage } from '../mail/languages.ts';
import { acceptPassword, PASSWORD } from '../password-rules.ts';
import { hashOptionsFor } from '../throttle-keys.ts';

export const registerInput = object({
  email: EMAIL,
  password: PASSWORD,
  displayName: optional(NEW_DISPLAY_NAME),
});
export type RegisterInput = TypeOf<typeof registerInput>;

/** Registers an unverified account, or registers the unverified account of the email anew. See decision 0005. */
export const makeRegister = (deps: Deps) => {
  const { domains, hasher, policy, clock, newId } = deps;

  return async (input: RegisterInput, caller: Caller): Promise<CodeMailed> => {
    const email = canonicalEmail(domains, input.email);
    const displayName = acceptDisplayName(policy, input.displayName ?? null);
    const password = await acceptPassword(deps, input.password, { email, displayName });
    // `typed`: an imported hash may be of the password before its normal form.
    const options = { ...hashOptionsFor(deps, email, undefined, caller), typed: input.password };
    const passwordHash = await hasher.hash(password, options);
    const language = chooseLanguage(caller.languages);
    const account = newAccount({ id: newId(), email, displayName, language, passwordHash, now: clock.now() });
    const message = 'We sent a code to this email; enter it to verify the account.';
    // `waiting`: the unverified account of the email, perhaps registered by a provider; `mailed`: whether it gets a new code.
    return addUnverifiedAccount(deps, account, caller, message, async (waiting, mailed) => {
      const now = clock.now();
      const updated = { ...waiting, displayName, language, registration: null, updatedAt: now };
      // If neither a new code is mailed nor the password changes, the code mailed last must go on verifying the email. With a
      // later `registeredAt` that code would verify it only together with the password.
      const codeStaysValid =
        !mailed && (await hasher.verify(password, waiting.passwordHash, options)).isCorrect;
      return codeStaysValid ? updated : { ...updated, passwordHash, registeredAt: now, replacedAt: now };
    });
  };
};

/** Removes accounts whose email was not verified within `unverifiedLifeMs`, at most `limit`; returns how many. */
export const makePurgeUnverified =
  ({ accounts, clock, log, policy }: Pick<Deps, 'accounts' | 'clock' | 'log' | 'policy'>) =>
  async (limit = 100): Promise<number> => {
    const before = clock.now() - policy.unverifiedLifeMs;
    const expired = await accounts.listWhere({ fact: 'unverified', before }, limit);
    let count = 0;
    for (const account of expired) {
      // Conditional on the version: if the user registers or verifies meanwhile, the account stays.
      if (await accounts.remove(account)) count += 1;
    }
    if (count > 0) log.info('accounts.purged', { count });
    return count;
  };
