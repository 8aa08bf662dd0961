import { canonicalEmail } from './email.ts';
import { alreadyVerified } from './errors.ts';
import type { Kit } from './kit.ts';
import { writeForNobody } from './nobody.ts';
import { withNewVerificationCode } from './verification-code.ts';

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
    if ((await find())?.verified) throw alreadyVerified();
    const answer = { message: 'If this email waits to be verified, a new code is on its way to it.' };
    return kit.change(find, async (account) => {
      if (account?.verified) return { next: null, refuse: alreadyVerified() };
      if (account !== undefined) return { next: withNewVerificationCode(kit, account), answer };
      await writeForNobody(kit, email);
      return { next: null, answer };
    });
  };
