import { CoreError } from '../../errors.ts';
import { takeCodeMail } from '../code-mail-limits.ts';
import type { Deps } from '../deps.ts';
import { alreadyVerified } from '../errors.ts';
import { withNewResetCode, withNewVerificationCode } from '../issue-code.ts';
import { type AdminActionResult, makeAdminAction, makeFindUser, type Operator } from './admin-action.ts';
import type { AdminActionRules } from './change-by-operator.ts';

/** Code mails requested by operators are counted under this key in place of a client network. */
const OPERATORS = 'operators';

/**
 * Counts a code mail requested by an operator. Throws `throttled` (`too_many_code_mails`) beyond the daily allowance.
 */
export const makeTakeOperatorsCodeMail =
  (deps: Deps) =>
  async (email: string): Promise<void> => {
    if (await takeCodeMail(deps, { email, client: OPERATORS, due: true })) return;
    throw new CoreError(
      'throttled',
      'too_many_code_mails',
      'Too many codes were sent to this address today; try again later.',
    );
  };

export const makeResendCode = (deps: Deps, rules: AdminActionRules) => {
  const runAction = makeAdminAction(deps, rules);
  const findUser = makeFindUser(deps);
  const takeCodeMail = makeTakeOperatorsCodeMail(deps);

  return async (user: string, by: Operator): Promise<AdminActionResult> => {
    const { id, email, verified } = await findUser(user);
    if (verified) throw alreadyVerified();
    await takeCodeMail(email);
    return runAction(id, by, (account) => {
      if (account.verified) throw alreadyVerified();
      return { next: withNewVerificationCode(deps, account) };
    });
  };
};

const notVerified = () =>
  new CoreError('refused', 'email_not_verified', 'A reset code is sent to a verified email only.');

export const makeSendReset = (deps: Deps, rules: AdminActionRules) => {
  const runAction = makeAdminAction(deps, rules);
  const findUser = makeFindUser(deps);
  const takeCodeMail = makeTakeOperatorsCodeMail(deps);

  return async (user: string, by: Operator): Promise<AdminActionResult> => {
    const { id, email, verified } = await findUser(user);
    if (!verified) throw notVerified();
    await takeCodeMail(email);
    return runAction(id, by, (account) => {
      if (!account.verified) throw notVerified();
      return { next: withNewResetCode(deps, account, true) };
    });
  };
};
