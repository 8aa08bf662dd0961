import { unavailable } from '../../errors.ts';
import { newAccount } from '../account.ts';
import { acceptDisplayName } from '../display-name.ts';
import { canonicalEmail } from '../email.ts';
import { emailTaken } from '../errors.ts';
import { hashedFor } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';
import { chooseLanguage } from '../mail/languages.ts';
import type { Caller } from '../needs.ts';
import { withPending } from '../pending.ts';
import { countUnaskedCodeMail, takeUnaskedCodeMail, withNewVerificationCode } from './code-mails.ts';
import { acceptPassword } from './password.ts';

export interface Register {
  readonly email: string;
  readonly password: string;
  readonly displayName?: string;
}

/** See decision 0005. */
export const makeRegister = (kit: Kit) => {
  const { accounts, domains, hasher, policy, clock, entries, newId, change, wake } = kit;

  return async (
    input: Register,
    caller: Caller,
  ): Promise<{ readonly message: string; readonly email: string }> => {
    const email = canonicalEmail(domains, input.email);
    const displayName = acceptDisplayName(policy, input.displayName ?? null);
    const password = await acceptPassword(kit, input.password, { email, displayName });
    const options = { ...hashedFor(kit, email, undefined, caller), typed: input.password };
    const passwordHash = await hasher.hash(password, options);
    const language = chooseLanguage(caller.languages);
    const answer = { message: 'We sent a code to this email; enter it to verify the account.', email };

    // Not looked for first: the store refuses a taken email, most are free, and either way it takes the same time.
    const account = newAccount({ id: newId(), email, displayName, language, passwordHash, now: clock.now() });
    const created = withPending(account, entries.event('user.created', account.id));
    if (await accounts.add(withNewVerificationCode(kit, created))) {
      wake();
      // Counted after the fact: a first registration always gets its code, and those it forestalls mail none.
      await countUnaskedCodeMail(kit, email, caller.client);
      return answer;
    }
    // A verified one spends nothing of what may be mailed.
    if ((await accounts.findByEmail(email))?.verified) throw emailTaken();
    // Registered before: the newest registration counts.
    const mailed = await takeUnaskedCodeMail(kit, email, caller.client);
    return change(
      () => accounts.findByEmail(email),
      async (account) => {
        // Removed on the way here, too: there is nobody to replace, and the next try finds the email free.
        if (account === undefined) return { next: null, refuse: tryAgain() };
        if (account.verified) return { next: null, refuse: emailTaken() };
        const now = clock.now();
        const named = { ...account, displayName, language, registration: null, updatedAt: now };
        // The same once more, and no mail to say so: the code that was sent stays good as it is.
        if (!mailed && (await hasher.verify(password, account.passwordHash, options)).right)
          return { next: named, answer };
        const next = { ...named, passwordHash, registeredAt: now, replacedAt: now };
        return { next: mailed ? withNewVerificationCode(kit, next) : next, answer };
      },
    );
  };
};

const tryAgain = () =>
  unavailable('contended', 'This email was registered and removed at the same time; try again.', 1);
