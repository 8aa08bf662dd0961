import { type AccountsContext, openAccounts } from '../open-accounts.ts';
import { openPorts } from '../open-core.ts';

export { password } from '../open-core.ts';

/** The operator who acts in these tests, with an optional reason. */
export const by = (reason?: string) => ({ actor: 'operator:cli', ...(reason !== undefined && { reason }) });

/** The core on a store of its own for each test, in which operators need no second factor. */
export const openAdminAccounts = (
  context: ReturnType<typeof openPorts> = openPorts(),
): Promise<AdminContext> => openAccounts({ operatorsNeedSecondFactor: false }, undefined, context);

export type AdminContext = AccountsContext;

export const useAdminAccounts = (): (() => AdminContext) => {
  let context: AdminContext | undefined;
  beforeEach(async () => {
    context = await openAdminAccounts();
  });
  return () => {
    if (context === undefined) throw new Error('Nothing is open.');
    return context;
  };
};
