import { newAccount } from './account.ts';
import { acceptDisplayName } from './display-name.ts';
import { canonicalEmail } from './email.ts';
import { emailTaken } from './errors.ts';
import type { Kit } from './kit.ts';
import { chooseLanguage } from './messages.ts';
import type { Caller } from './needs.ts';
import { acceptPassword } from './password.ts';
import { takeCodeMailOfTheDay, takeUnaskedCodeMail, withNewVerificationCode } from './verification-code.ts';

export interface Register {
  readonly email: string;
  readonly password: string;
  readonly displayName?: string;
}

/**
 * Creates an account, or replaces the registration of an email that is not verified yet, and mails a code. Throws
 * `invalid` for an email, password or name that breaks a rule, `conflict` (`email_taken`) for a verified email.
 */
export const makeRegister = (kit: Kit) => {
  const { accounts, domains, hasher, policy, clock, newId, change, wake } = kit;

  return async (
    input: Register,
    caller: Caller,
  ): Promise<{ readonly message: string; readonly email: string }> => {
    const email = canonicalEmail(domains, input.email);
    const displayName = acceptDisplayName(policy, input.displayName ?? null);
    const password = await acceptPassword(kit, input.password);
    const existing = await accounts.findByEmail(email);
    if (existing?.verified) throw emailTaken();
    const passwordHash = await hasher.hash(password);
    const language = chooseLanguage(caller.languages);
    const answer = { message: 'We sent a code to this email; enter it to verify the account.', email };

    if (existing === undefined) {
      const now = clock.now();
      const account = newAccount({ id: newId(), email, displayName, language, passwordHash, now });
      if (await accounts.add(withNewVerificationCode(kit, account))) {
        wake();
        // Counted after the fact: a first registration always gets its code, and those it forestalls mail none.
        await takeCodeMailOfTheDay(kit, email);
        return answer;
      }
    }
    // Taken on the way here, or registered before: the newest registration counts.
    const mailed = await takeUnaskedCodeMail(kit, email);
    return change(
      () => accounts.findByEmail(email),
      (account) => {
        if (account === undefined) return { next: null, refuse: emailTaken() };
        if (account.verified) return { next: null, refuse: emailTaken() };
        const now = clock.now();
        const times = { registeredAt: now, replacedAt: now, updatedAt: now };
        const next = { ...account, displayName, language, passwordHash, ...times };
        return { next: mailed ? withNewVerificationCode(kit, next) : next, answer };
      },
    );
  };
};
