import { createAccounts } from '../../../../core/index.ts';
import { caller, openPorts } from '../open-core.ts';

export const password = 'correct horse battery';

/** Who acts in these tests. */
export const by = (reason?: string) => ({ actor: 'operator:cli', ...(reason !== undefined && { reason }) });

/** The core on a store of its own for each test, with what tests want to know about it. */
export const openOperated = async (context: ReturnType<typeof openPorts> = openPorts()) => {
  const { ports, dns, lines, mails, events } = context;
  const accounts = createAccounts(ports, { operatorsNeedSecondFactor: false });
  await accounts.open();
  /** Moves on all that is pending, and sends the mails. */
  const settle = async () => {
    while ((await accounts.background.relay()) > 0);
    await accounts.background.deliverMail(1);
  };
  return {
    ports,
    accounts,
    operate: accounts.operate,
    dns,
    lines,
    mails,
    events,
    settle,
    /** A verified user with one session. */
    signUp: async (email: string) => {
      await accounts.register({ email, password }, caller);
      await settle();
      const { text = '' } = mails.findLast(({ to }) => to === email) ?? {};
      const code = /\b\d{6}\b/.exec(text)?.[0] ?? '';
      const { user, token } = await accounts.verifyEmail({ email, code }, caller);
      await settle();
      return { id: user.id, email, token };
    },
    logIn: (email: string) => accounts.logIn({ email, password }, caller),
    /** The rows about a user, newest last. */
    rowsAbout: async (user: string) => {
      await settle();
      const rows = [];
      for await (const row of accounts.operate.listAudit({ user })) rows.push(row);
      return rows;
    },
  };
};

export type Operated = Awaited<ReturnType<typeof openOperated>>;

export const useOperated = (): (() => Operated) => {
  let context: Operated | undefined;
  beforeEach(async () => {
    context = await openOperated();
  });
  return () => {
    if (context === undefined) throw new Error('Nothing is open.');
    return context;
  };
};
