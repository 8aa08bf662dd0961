import type { Account } from '../account.ts';
import { canonicalEmail } from '../email.ts';
import { knownAddress } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { takeCodeMail, withNewResetCode } from './code-mails.ts';
import { writeDecoy } from './decoy-write.ts';

export interface RequestPasswordReset {
  readonly email: string;
}

export const makeRequestPasswordReset = (kit: Kit) => {
  const { accounts, change, clock, digest, domains, policy } = kit;

  /** A code that strangers may not replace: otherwise they could void each code of the owner by asking again. */
  const isOwners = ({ reset }: Account) =>
    reset !== null && reset.strangersTries !== null && reset.expiresAt > clock.now();

  const isDue = (account: Account | undefined, known: string | undefined): account is Account =>
    account?.verified === true && (known !== undefined || !isOwners(account));

  return async (input: RequestPasswordReset, caller: Caller): Promise<{ readonly message: string }> => {
    const email = canonicalEmail(domains, input.email);
    const account = await accounts.findByEmail(email);
    const known = account && knownAddress(digest, policy, account, caller.client, clock.now());
    const ask = { email, client: caller.client, due: isDue(account, known) };
    const mayMail = await takeCodeMail(kit, ask);

    const mailed = await change<boolean>(
      () => accounts.findByEmail(email),
      (found) => {
        if (!mayMail || !isDue(found, known)) return { next: null, answer: false };
        return { next: withNewResetCode(kit, found, known !== undefined), answer: true };
      },
    );
    if (!mailed) await writeDecoy(kit, email);
    kit.log.info('password.reset_asked', { ...(account && { userId: account.id }), ...calledFrom(caller) });
    return { message: 'If there is an account with this email, a code is on its way to it.' };
  };
};
