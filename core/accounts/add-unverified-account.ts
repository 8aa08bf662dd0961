import { unavailable } from '../errors.ts';
import type { Account } from './account.ts';
import type { Caller } from './caller.ts';
import { type CodeMailed, consumeCodeMail } from './code-mail-limits.ts';
import { withNewVerificationCode } from './codes.ts';
import type { Deps } from './deps.ts';
import { emailTaken } from './errors.ts';
import { withPending } from './outbox-entries.ts';

/**
 * Stores an unverified account and mails its code. If an unverified account (`waiting`) has the email already, the newest
 * registration counts: `replace` returns that account with the data of the new registration. `isMailed`: whether a new code is
 * mailed. `message` is the text of the answer. Throws `conflict` (`email_taken`) if the email is verified, and `unavailable`
 * (`contended`).
 */
export const addUnverifiedAccount = async (
  deps: Deps,
  account: Account,
  caller: Caller,
  message: string,
  replace: (waiting: Account, isMailed: boolean) => Account | Promise<Account>,
): Promise<CodeMailed> => {
  const { accounts, change, entries, wake } = deps;
  const { email } = account;
  const answer = { message, email };
  // No lookup before the insert: the store rejects duplicates, and both paths take the same time.
  const created = withPending(account, entries.event('user.created', account.id));
  if (await accounts.add(withNewVerificationCode(deps, created))) {
    wake();
    // Uses up allowance, but the result is ignored: a first registration always gets its code.
    await consumeCodeMail(deps, { email, client: caller.client, cause: 'registration' });
    return answer;
  }
  // A verified account uses up no allowance of code mails.
  if ((await accounts.findByEmail(email))?.verified) throw emailTaken();
  const isMailed = await consumeCodeMail(deps, { email, client: caller.client, cause: 'repetition' });
  return change<CodeMailed>(
    () => accounts.findByEmail(email),
    async (waiting) => {
      // The account was removed meanwhile, so the next attempt finds the email free.
      if (waiting === undefined) return { next: null, refuse: tryAgain() };
      if (waiting.verified) return { next: null, refuse: emailTaken() };
      const next = await replace(waiting, isMailed);
      return { next: isMailed ? withNewVerificationCode(deps, next) : next, answer };
    },
  );
};

const tryAgain = () =>
  unavailable('contended', 'This email was registered and removed at the same time; try again.', 1);
