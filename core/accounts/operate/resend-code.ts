import { alreadyVerified } from '../errors.ts';
import type { Kit } from '../kit.ts';
import { withNewVerificationCode } from '../sign-in/code-mails.ts';
import { type Acted, makeAct, makeFindUser, type Operator } from './act.ts';
import { makeTakeOperatorsCodeMail } from './code-mail.ts';

export const makeResendCode = (kit: Kit) => {
  const act = makeAct(kit);
  const findUser = makeFindUser(kit);
  const takeCodeMail = makeTakeOperatorsCodeMail(kit);

  return async (user: string, by: Operator): Promise<Acted> => {
    const { id, email, verified } = await findUser(user);
    if (verified) throw alreadyVerified();
    await takeCodeMail(email);
    return act(id, by, 'user.code_resent', (account) => {
      if (account.verified) throw alreadyVerified();
      return { next: withNewVerificationCode(kit, account) };
    });
  };
};
