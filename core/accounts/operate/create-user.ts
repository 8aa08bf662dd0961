import { invalid } from '../../errors.ts';
import { type Account, newAccount } from '../account.ts';
import { acceptDisplayName } from '../display-name.ts';
import { canonicalEmail } from '../email.ts';
import { emailTaken } from '../errors.ts';
import type { Kit } from '../kit.ts';
import { DEFAULT_LANGUAGE } from '../mail/languages.ts';
import { createdEvents, withPending } from '../pending.ts';
import { withNewResetCode, withNewVerificationCode } from '../sign-in/code-mails.ts';
import { type Acted, acceptOperator, type Operator } from './act.ts';
import { makeTakeOperatorsCodeMail } from './code-mail.ts';

export interface CreateUser {
  readonly email: string;
  readonly displayName?: string;
  /** Whether the email is known to be the user's; otherwise a code is mailed to it. */
  readonly verified?: boolean;
  /** Mails a code with which the user sets a password. Only for a verified email. */
  readonly sendReset?: boolean;
}

export const makeCreateUser = (kit: Kit) => {
  const { accounts, clock, domains, entries, log, newId, policy, wake } = kit;
  const takeCodeMail = makeTakeOperatorsCodeMail(kit);

  const withCode = (account: Account, sendReset: boolean): Account => {
    if (!account.verified) return withNewVerificationCode(kit, account);
    return sendReset ? withNewResetCode(kit, account, true) : account;
  };

  return async (input: CreateUser, by: Operator): Promise<Acted> => {
    const who = acceptOperator(by);
    const { verified = false, sendReset = false } = input;
    const email = canonicalEmail(domains, input.email);
    const displayName = acceptDisplayName(policy, input.displayName ?? null);
    if (sendReset && !verified) {
      throw invalid('email_not_verified', 'A reset code goes to a verified email alone.');
    }
    if ((await accounts.findByEmail(email)) !== undefined) throw emailTaken();
    if (!verified || sendReset) await takeCodeMail(email);

    const now = clock.now();
    const given = { id: newId(), email, displayName, language: DEFAULT_LANGUAGE, passwordHash: null, now };
    const base = { ...newAccount(given), verified };
    const mailed = verified ? (sendReset ? 'reset' : null) : 'verify';
    const row = entries.audit({
      ...who,
      action: 'user.created',
      target: base.id,
      after: { verified, mailed },
    });
    const told = createdEvents(kit, base);
    if (!(await accounts.add(withCode(withPending(base, row, ...told), sendReset)))) throw emailTaken();
    wake();
    log.info('operator.acted', { userId: base.id, reason: 'user.created' });
    return { userId: base.id, email, changed: true };
  };
};
