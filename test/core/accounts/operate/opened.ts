import { createAccounts } from '../../../../core/index.ts';
import { caller, openPorts } from '../open-core.ts';

export const password = 'correct horse battery';

/** Who acts in these tests. */
export const by = (reason?: string) => ({ actor: 'operator:cli', ...(reason !== undefined && { reason }) });

/** The core on a store of its own for each test, with what tests want to know about it. */
export const openOperated = async (opened: ReturnType<typeof openPorts> = openPorts()) => {
  const { ports, dns, mails, events } = opened;
  const accounts = createAccounts(ports, { operatorsNeedSecondFactor: false });
  await accounts.begin();
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
    mails,
    events,
    settle,
    /** A verified user with one session. */
    signUp: async (email: string) => {
      await accounts.register({ email, password }, caller);
      await settle();
      const code = /\b\d{6}\b/.exec(mails.at(-1)?.text ?? '')?.[0] ?? '';
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
  let opened: Operated | undefined;
  beforeEach(async () => {
    opened = await openOperated();
  });
  return () => {
    if (opened === undefined) throw new Error('Nothing is open.');
    return opened;
  };
};
