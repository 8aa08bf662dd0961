import type { Principal } from '../../../../core/index.ts';
import { type AdminContext, useAdminAccounts } from '../admin/open-admin-accounts.ts';
import { caller } from '../open-core.ts';

export const OLD = 'ada@example.com';
export const NEW = 'new@example.com';

/** A user with one session, and calls that request, confirm and undo a change of the email. */
export const openOwner = async (context: AdminContext, email = OLD) => {
  const { accounts, codeTo, edit, signUp } = context;
  const user = await signUp(email);
  const { id, principal } = user;
  const ask = async (email = NEW, by?: Principal) =>
    accounts.askEmailChange(by ?? (await principal()), { email }, caller);
  const confirm = async (code: string, by?: Principal) =>
    accounts.confirmEmailChange(by ?? (await principal()), { code }, caller);
  /** Changes the email, and returns the code that undoes the change. */
  const change = async (to = NEW, by?: Principal): Promise<string> => {
    const from = (by ?? (await principal())).user.email;
    await ask(to, by);
    await confirm(await codeTo(to), by);
    return codeTo(from);
  };
  const undo = (code: string, email = OLD) => accounts.undoEmailChange({ email, code }, caller);
  const account = () => context.account(id);
  const turnOnFactor = () => context.turnOnFactor(user);
  /** Dates the second factor to another session, longer ago than an undo reaches. */
  const makeFactorOlder = async () => {
    const { twoFactor } = await account();
    if (twoFactor === null) throw new Error('There is no second factor.');
    const at = context.clock.now() - 31 * 24 * 3_600_000;
    await edit(id, { twoFactor: { ...twoFactor, by: 'another', at } });
  };
  return { ...context, ...user, ask, confirm, change, undo, account, turnOnFactor, makeFactorOlder };
};

export const useOwner = () => {
  const core = useAdminAccounts();
  return (email?: string) => openOwner(core(), email);
};
