import { invalid } from '../../errors.ts';
import { FLAG, object, optional, TEXT, type TypeOf } from '../../schema.ts';
import { type Account, newAccount } from '../account.ts';
import { calledFrom } from '../caller.ts';
import { withNewResetCode, withNewVerificationCode } from '../codes.ts';
import type { Deps } from '../deps.ts';
import { acceptDisplayName } from '../display-name.ts';
import { canonicalEmail } from '../email.ts';
import { emailTaken } from '../errors.ts';
import { DEFAULT_LANGUAGE } from '../mail/languages.ts';
import { createdEvents, withPending } from '../outbox-entries.ts';
import { type AdminActionResult, acceptOperator, type Operator } from './admin-action.ts';
import { consumeOperatorsCodeMail } from './send-codes.ts';

export const createUserInput = object({
  email: TEXT,
  displayName: optional(TEXT),
  verified: optional(FLAG),
  sendReset: optional(FLAG),
});
/**
 * `verified`: whether the email is already known to belong to the user; otherwise a code is mailed to it. `sendReset`:
 * mails a code that lets the user set a password; only for a verified email.
 */
export type CreateUserInput = TypeOf<typeof createUserInput>;

export const makeCreateUser = (deps: Deps) => {
  const { accounts, clock, domains, entries, log, newId, policy, wake } = deps;

  const withCode = (account: Account, sendReset: boolean): Account => {
    if (!account.verified) return withNewVerificationCode(deps, account);
    return sendReset ? withNewResetCode(deps, account, 'trusted') : account;
  };

  return async (input: CreateUserInput, by: Operator): Promise<AdminActionResult> => {
    const operator = acceptOperator(by);
    const { verified = false, sendReset = false } = input;
    const email = canonicalEmail(domains, input.email);
    const displayName = acceptDisplayName(policy, input.displayName ?? null);
    if (sendReset && !verified) {
      throw invalid('email_not_verified', 'A reset code is sent to a verified email only.');
    }
    // An email that is taken already must not use up a code mail; `add` refuses an email that is taken meanwhile.
    if ((await accounts.findByEmail(email)) !== undefined) throw emailTaken();
    const needsCode = !verified || sendReset;
    if (needsCode) await consumeOperatorsCodeMail(deps, email);

    const now = clock.now();
    const fields = { id: newId(), email, displayName, language: DEFAULT_LANGUAGE, passwordHash: null, now };
    const account = { ...newAccount(fields), verified };
    const codePurpose = sendReset ? 'reset' : 'verify';
    const row = entries.audit({
      ...operator,
      action: 'user.created',
      target: account.id,
      after: { verified, mailed: needsCode ? codePurpose : null },
    });
    const recorded = withPending(account, row, ...createdEvents(deps, account));
    if (!(await accounts.add(withCode(recorded, sendReset)))) throw emailTaken();
    wake();
    log.info('operator.acted', {
      userId: account.id,
      reason: 'user.created',
      ...(by.caller && calledFrom(by.caller)),
    });
    return { userId: account.id, email, changed: true };
  };
};
