import type { OnlyMessage } from '../../answer-schemas.ts';
import { object, type TypeOf } from '../../schema.ts';
import type { Account } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import { consumeCodeMail, writeDecoy } from '../code-mail-limits.ts';
import { withNewResetCode } from '../codes.ts';
import type { Deps } from '../deps.ts';
import { canonicalEmail, EMAIL } from '../email.ts';
import { knownAddressDigest } from '../known-address.ts';
import { allowanceKeyOf, type ChargeAllowance } from '../throttle-keys.ts';

export const requestPasswordResetInput = object({ email: EMAIL });
export type RequestPasswordResetInput = TypeOf<typeof requestPasswordResetInput>;

export const makeRequestPasswordReset = (deps: Deps) => {
  const { accounts, change, clock, domains } = deps;

  /**
   * Whether there is a valid code that the owner or an operator requested: only such a code has a number of `strangersTries`.
   * Strangers may not replace it: otherwise they could void every code by requesting another.
   */
  const hasOwnersCode = ({ reset }: Account) =>
    reset !== null && reset.strangersTries !== null && reset.expiresAt > clock.now();

  const isDue = (account: Account | undefined, byOwner: boolean): account is Account =>
    account?.verified === true && (byOwner || !hasOwnersCode(account));

  return async (
    input: RequestPasswordResetInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<OnlyMessage> => {
    const email = canonicalEmail(domains, input.email);
    const account = await accounts.findByEmail(email);
    await charge?.(allowanceKeyOf(deps, email, account, caller));
    // A caller counts as the owner at an address from which the owner signed in lately.
    const byOwner = knownAddressDigest(deps, account, caller.client) !== undefined;
    const due = isDue(account, byOwner);
    const mayMail = await consumeCodeMail(deps, {
      email,
      client: caller.client,
      cause: 'request',
      wouldBeMailed: due,
    });

    const mailed = await change<boolean>(
      () => accounts.findByEmail(email),
      (current) => {
        if (!mayMail || !isDue(current, byOwner)) return { next: null, answer: false };
        return { next: withNewResetCode(deps, current, byOwner ? 'trusted' : 'unknown'), answer: true };
      },
    );
    // A request costs as many writes without a mail as with one.
    if (!mailed) await writeDecoy(deps, email);
    deps.log.info('password.reset_asked', { ...(account && { userId: account.id }), ...calledFrom(caller) });
    return { message: 'If there is an account with this email, a code is on its way to it.' };
  };
};
