import { unavailable } from '../../errors.ts';
import { object, optional, type TypeOf } from '../../schema.ts';
import { newAccount } from '../account.ts';
import type { Caller } from '../base-deps.ts';
import {
  type CodeMailed,
  countUnaskedCodeMail,
  takeUnaskedCodeMail,
  withNewVerificationCode,
} from '../code-mails.ts';
import type { Deps } from '../deps.ts';
import { acceptDisplayName, NEW_DISPLAY_NAME } from '../display-name.ts';
import { canonicalEmail, EMAIL } from '../email.ts';
import { emailTaken } from '../errors.ts';
import { chooseLanguage } from '../mail/languages.ts';
import { withPending } from '../outbox-entries.ts';
import { acceptPassword, PASSWORD } from '../password-rules.ts';
import { hashedFor } from '../throttle-keys.ts';

export const registerInput = object({
  email: EMAIL,
  password: PASSWORD,
  displayName: optional(NEW_DISPLAY_NAME),
});
export type RegisterInput = TypeOf<typeof registerInput>;

/** See decision 0005. */
export const makeRegister = (deps: Deps) => {
  const { accounts, domains, hasher, policy, clock, entries, newId, change, wake } = deps;

  return async (input: RegisterInput, caller: Caller): Promise<CodeMailed> => {
    const email = canonicalEmail(domains, input.email);
    const displayName = acceptDisplayName(policy, input.displayName ?? null);
    const password = await acceptPassword(deps, input.password, { email, displayName });
    const options = { ...hashedFor(deps, email, undefined, caller), typed: input.password };
    const passwordHash = await hasher.hash(password, options);
    const language = chooseLanguage(caller.languages);
    const answer = { message: 'We sent a code to this email; enter it to verify the account.', email };

    // No lookup before the insert: the store rejects duplicates, and both paths take the same time.
    const account = newAccount({ id: newId(), email, displayName, language, passwordHash, now: clock.now() });
    const created = withPending(account, entries.event('user.created', account.id));
    if (await accounts.add(withNewVerificationCode(deps, created))) {
      wake();
      // Counted afterwards: a first registration always gets its code, and concurrent ones mail none.
      await countUnaskedCodeMail(deps, email, caller.client);
      return answer;
    }
    // A verified account uses up no allowance of code mails.
    if ((await accounts.findByEmail(email))?.verified) throw emailTaken();
    // Registered before: the newest registration counts.
    const mailed = await takeUnaskedCodeMail(deps, email, caller.client);
    return change(
      () => accounts.findByEmail(email),
      async (account) => {
        // The account was removed meanwhile, so the next attempt finds the email free.
        if (account === undefined) return { next: null, refuse: tryAgain() };
        if (account.verified) return { next: null, refuse: emailTaken() };
        const now = clock.now();
        const updated = { ...account, displayName, language, registration: null, updatedAt: now };
        // The same password, and no allowance for another mail: the code in the last mail stays valid.
        if (!mailed && (await hasher.verify(password, account.passwordHash, options)).right)
          return { next: updated, answer };
        const next = { ...updated, passwordHash, registeredAt: now, replacedAt: now };
        return { next: mailed ? withNewVerificationCode(deps, next) : next, answer };
      },
    );
  };
};

const tryAgain = () =>
  unavailable('contended', 'This email was registered and removed at the same time; try again.', 1);
