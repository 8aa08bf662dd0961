import { canonicalEmail } from './email.ts';
import { alreadyVerified } from './errors.ts';
import type { Kit } from './kit.ts';
import { takeCodeMailOfTheDay, withNewVerificationCode } from './verification-code.ts';

export interface ResendVerification {
  readonly email: string;
}

/**
 * Mails a new code; the one before is void. An unknown email gets the same answer and no mail. Throws `conflict`
 * (`already_verified`).
 */
export const makeResendVerification =
  (kit: Kit) =>
  async (input: ResendVerification): Promise<{ readonly message: string }> => {
    const email = canonicalEmail(kit.domains, input.email);
    const find = () => kit.accounts.findByEmail(email);
    const waiting = await find();
    if (waiting?.verified) throw alreadyVerified();
    // Only what is mailed counts: asking for an unknown email must not use up what its owner needs to register.
    const mailed = waiting !== undefined && (await takeCodeMailOfTheDay(kit, email));
    const answer = { message: 'If this email waits to be verified, a new code is on its way to it.' };
    return kit.change(find, (account) => {
      if (account?.verified) return { next: null, refuse: alreadyVerified() };
      return { next: account && mailed ? withNewVerificationCode(kit, account) : null, answer };
    });
  };
