import { CoreError } from '../../errors.ts';
import type { Kit } from '../kit.ts';
import { takeCodeMail } from '../sign-in/code-mails.ts';

/** By which mails that operators ask for are counted, in place of a client network. */
const OPERATORS = 'operators';

/** Counts a code mailed at an operator's word. Throws `throttled` (`too_many_code_mails`) beyond the day's allowance. */
export const makeTakeOperatorsCodeMail =
  (kit: Kit) =>
  async (email: string): Promise<void> => {
    if (await takeCodeMail(kit, { email, client: OPERATORS, due: true })) return;
    throw new CoreError(
      'throttled',
      'too_many_code_mails',
      'This address got as many codes today as it may get in a day.',
    );
  };
