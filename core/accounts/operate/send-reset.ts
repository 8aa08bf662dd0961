import { CoreError } from '../../errors.ts';
import type { Kit } from '../kit.ts';
import { withNewResetCode } from '../sign-in/code-mails.ts';
import { type Acted, makeAct, makeFindUser, type Operator } from './act.ts';
import { makeTakeOperatorsCodeMail } from './code-mail.ts';

const notVerified = () =>
  new CoreError('refused', 'email_not_verified', 'A reset code goes to a verified email alone.');

export const makeSendReset = (kit: Kit) => {
  const act = makeAct(kit);
  const findUser = makeFindUser(kit);
  const takeCodeMail = makeTakeOperatorsCodeMail(kit);

  return async (user: string, by: Operator): Promise<Acted> => {
    const { id, email, verified } = await findUser(user);
    if (!verified) throw notVerified();
    await takeCodeMail(email);
    return act(id, by, 'password.reset_sent', (account) => {
      if (!account.verified) throw notVerified();
      return { next: withNewResetCode(kit, account, true) };
    });
  };
};
