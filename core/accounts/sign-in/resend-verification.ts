import { canonicalEmail } from '../email.ts';
import { alreadyVerified } from '../errors.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { takeCodeMail, withNewVerificationCode } from './code-mails.ts';
import { writeDecoy } from './decoy-write.ts';

export interface ResendVerification {
  readonly email: string;
}

export const makeResendVerification =
  (kit: Kit) =>
  async (input: ResendVerification, caller: Caller): Promise<{ readonly message: string }> => {
    const email = canonicalEmail(kit.domains, input.email);
    const find = () => kit.accounts.findByEmail(email);
    const known = await find();
    kit.log.info('verification.asked', { ...(known && { userId: known.id }), ...calledFrom(caller) });
    if (known?.verified) throw alreadyVerified();
    const mailed = await takeCodeMail(kit, { email, client: caller.client, due: known !== undefined });
    const answer = { message: 'If this email waits to be verified, a new code is on its way to it.' };
    return kit.change(find, async (account) => {
      if (account?.verified) return { next: null, refuse: alreadyVerified() };
      if (account !== undefined && mailed) return { next: withNewVerificationCode(kit, account), answer };
      await writeDecoy(kit, email);
      return { next: null, answer };
    });
  };
