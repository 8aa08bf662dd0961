import { CoreError } from '../../errors.ts';
import type { Account } from '../account.ts';
import { consumeCodeMail } from '../code-mail-limits.ts';
import { withNewResetCode, withNewVerificationCode } from '../codes.ts';
import type { Deps } from '../deps.ts';
import { alreadyVerified } from '../errors.ts';
import {
  type AdminActionResult,
  type AdminActionRules,
  acceptOperator,
  makeAdminAction,
  type Operator,
} from './admin-action.ts';
import { findUser } from './find-user.ts';

/** Code mails requested by operators are counted under this key in place of a client network. */
const OPERATORS = 'operators';

/**
 * Counts a code mail that an operator requested, before it is sent. Throws `throttled` (`too_many_code_mails`) beyond
 * the daily allowance.
 */
export const consumeOperatorsCodeMail = async (deps: Deps, email: string): Promise<void> => {
  if (await consumeCodeMail(deps, { email, client: OPERATORS, cause: 'request' })) return;
  throw new CoreError(
    'throttled',
    'too_many_code_mails',
    'Too many codes were sent to this address today; try again later.',
  );
};

/** `requireFit` throws for an account that cannot get such a code. */
const makeSendCode =
  (requireFit: (account: Account) => void, withNewCode: (deps: Deps, account: Account) => Account) =>
  (deps: Deps, rules: AdminActionRules) => {
    const runAction = makeAdminAction(deps, rules);

    return async (user: string, by: Operator): Promise<AdminActionResult> => {
      const account = await findUser(deps, user);
      requireFit(account);
      // Checked before the mail is counted, and again by the action.
      acceptOperator(by);
      await consumeOperatorsCodeMail(deps, account.email);
      return runAction(account.id, by, (current) => {
        requireFit(current);
        return { next: withNewCode(deps, current) };
      });
    };
  };

export const makeResendCode = makeSendCode(({ verified }) => {
  if (verified) throw alreadyVerified();
}, withNewVerificationCode);

export const makeSendReset = makeSendCode(
  ({ verified }) => {
    if (!verified)
      throw new CoreError('refused', 'email_not_verified', 'A reset code is sent to a verified email only.');
  },
  (deps, account) => withNewResetCode(deps, account, 'trusted'),
);
