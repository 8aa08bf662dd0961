import { unavailable } from '../../errors.ts';
import { object, type TypeOf } from '../../schema.ts';
import { newAccount } from '../account.ts';
import type { Caller } from '../base-deps.ts';
import type { Decision } from '../change-account.ts';
import type { CodeMailed } from '../code-mails.ts';
import { countUnaskedCodeMail, takeUnaskedCodeMail, withNewVerificationCode } from '../code-mails.ts';
import { token } from '../codes.ts';
import type { Deps } from '../deps.ts';
import { canonicalEmail, EMAIL } from '../email.ts';
import { emailTaken } from '../errors.ts';
import { chooseLanguage } from '../mail/languages.ts';
import { withPending } from '../outbox-entries.ts';
import { isReservedEmail } from '../reserved-email.ts';
import { accountKey, type ChargeAllowance } from '../throttle-keys.ts';
import { linkedIdentity, nameOf } from './identities.ts';
import { makeRedeemFlowCode } from './redeem-flow-code.ts';

export const signUpByProviderInput = object({
  signUpToken: token('From the answer `requiresEmail`; valid for 10 minutes'),
  email: EMAIL,
});
/** The email step of a sign-up with an identity without a vouched email: the token as `exchange` gave it. */
export type SignUpByProviderInput = TypeOf<typeof signUpByProviderInput>;

/**
 * Registers without a password: the code that is mailed to the email is valid only together with the token, so that
 * nobody verifies for a stranger. A later registration replaces this one, as this one replaces an earlier one.
 */
export const makeSignUpByProvider = (deps: Deps) => {
  const { accounts, change, clock, digest, domains, entries, newId, policy, wake } = deps;
  const flowCodes = makeRedeemFlowCode(deps);

  return async (
    input: SignUpByProviderInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<CodeMailed> => {
    const { identity } = await flowCodes.byToken('sign-up-token', input.signUpToken);
    const email = canonicalEmail(domains, input.email);
    // Counted after the token was checked: callers without one must not use up the allowance of the email's owner.
    await charge?.(accountKey(digest, email));
    if (await isReservedEmail(deps, email)) throw emailTaken();
    const displayName = nameOf(policy, identity);
    const language = chooseLanguage(caller.languages);
    const registration = {
      identity: linkedIdentity(digest, identity, clock.now()),
      tokenDigest: digest.sha256(input.signUpToken),
    };
    const answer = { message: 'We sent a code to this email; enter it to finish.', email };

    const fields = { id: newId(), email, displayName, language, passwordHash: null, now: clock.now() };
    const account = { ...newAccount(fields), registration };
    const created = withPending(account, entries.event('user.created', account.id));
    if (await accounts.add(withNewVerificationCode(deps, created))) {
      wake();
      await countUnaskedCodeMail(deps, email, caller.client);
      return answer;
    }
    if ((await accounts.findByEmail(email))?.verified) throw emailTaken();
    const mailed = await takeUnaskedCodeMail(deps, email, caller.client);
    return change<typeof answer>(
      () => accounts.findByEmail(email),
      (existing): Decision<typeof answer> => {
        if (existing === undefined) return { next: null, refuse: tryAgain() };
        if (existing.verified) return { next: null, refuse: emailTaken() };
        const now = clock.now();
        const next = {
          ...existing,
          displayName,
          language,
          registration,
          passwordHash: null,
          registeredAt: now,
          replacedAt: now,
          updatedAt: now,
        };
        return { next: mailed ? withNewVerificationCode(deps, next) : next, answer };
      },
    );
  };
};

const tryAgain = () =>
  unavailable('contended', 'This email was registered and removed at the same time; try again.', 1);
