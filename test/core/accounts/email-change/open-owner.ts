import type { Principal } from '../../../../core/index.ts';
import { type Operated, useOperated } from '../admin/open-operated.ts';
import { caller } from '../open-core.ts';

export const OLD = 'ada@example.com';
export const NEW = 'new@example.com';

/** A user with one session, who asks for another email and confirms it. */
export const openOwner = async (context: Operated) => {
  const { accounts, mails, settle, signUp } = context;
  const user = await signUp(OLD);
  const who = (token = user.token) => accounts.authenticate(token);
  /** The newest code of a template in a mail to an address. */
  const codeIn = async (to: string): Promise<string> => {
    await settle();
    const text = mails.findLast((mail) => mail.to === to)?.text ?? '';
    return /^ {4}(\S+)$/m.exec(text)?.[1] ?? '';
  };
  const ask = async (email = NEW, by?: Principal) =>
    accounts.askEmailChange(by ?? (await who()), { email }, caller);
  const confirm = async (code: string, by?: Principal) =>
    accounts.confirmEmailChange(by ?? (await who()), { code }, caller);
  /** Changes the email; gives the code that takes it back. */
  const change = async (to = NEW, by?: Principal): Promise<string> => {
    const from = (by ?? (await who())).user.email;
    await ask(to, by);
    await confirm(await codeIn(to), by);
    return codeIn(from);
  };
  const undo = (code: string, email = OLD) => accounts.undoEmailChange({ email, code }, caller);
  const account = async () => context.ports.accounts.find(user.id);
  /** Makes it a second factor that another session of the owner switched on, longer ago than an undo reaches. */
  const makeFactorOlder = async () => {
    const stored = await account();
    if (stored?.twoFactor == null) throw new Error('There is no second factor.');
    const at = context.ports.clock.now() - 31 * 24 * 3_600_000;
    await context.ports.accounts.save({ ...stored, twoFactor: { ...stored.twoFactor, by: 'another', at } });
  };
  return { ...context, ...user, who, codeIn, ask, confirm, change, undo, account, makeFactorOlder };
};

export const useOwner = () => {
  const operated = useOperated();
  return () => openOwner(operated());
};
