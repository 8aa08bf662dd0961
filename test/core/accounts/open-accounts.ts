import type { Account } from '../../../core/accounts/account.ts';
import { type AccountsPolicy, type AccountsPorts, type Caller, createAccounts } from '../../../core/index.ts';
import { makeApp } from '../../servers/accounts/second-factor/factor.ts';
import { caller, makeMailbox, openPorts, password, tokensIn } from './open-core.ts';

export { tokensIn } from './open-core.ts';

export const newPassword = 'another horse battery';

/** A caller at this address. */
export const callerAt = (address: string): Caller => ({ ...caller, address, client: address });

/** The token that the second step of a sign-in needs. */
export const pendingTokenIn = (answer: object): string => {
  if (!('pendingToken' in answer)) throw new Error('The result has no pending token.');
  return String(answer.pendingToken);
};

/** The core on a new store, with a clock that tests advance and calls that sign users up. */
export const openAccounts = async (
  policy: Partial<AccountsPolicy> = {},
  overrides: (ports: AccountsPorts) => Partial<AccountsPorts> = () => ({}),
  context: ReturnType<typeof openPorts> = openPorts(),
) => {
  let aheadMs = 0;
  const { now } = context.ports.clock;
  const clock = {
    now: () => now() + aheadMs,
    advance: (milliseconds: number) => {
      aheadMs += milliseconds;
    },
  };
  const ports = { ...context.ports, clock, ...overrides(context.ports) };
  const accounts = createAccounts(ports, policy);
  await accounts.open();
  const mail = makeMailbox(accounts, context.mails);

  /** A verified user with one session. */
  const signUp = async (email = 'ada@example.com', by: Caller = caller) => {
    const { user, token, refreshToken } = tokensIn(await mail.verify(email, by));
    await mail.settle();
    const principal = (accessToken = token) => accounts.authenticate(accessToken);
    return { id: user.id, email, token, refreshToken, principal };
  };
  type User = Awaited<ReturnType<typeof signUp>>;
  const turnOnFactor = async ({ principal }: Pick<User, 'principal'>) => {
    const setup = await accounts.configureTwoFactor(await principal(), { enable: true }, caller);
    const app = makeApp({ clock }, 'secret' in setup ? setup.secret : '');
    const confirm = { enable: true, secret: app.secret, verificationCode: app.fresh() };
    const result = await accounts.configureTwoFactor(await principal(), confirm, caller);
    return { ...app, recoveryCodes: ('recoveryCodes' in result && result.recoveryCodes) || [] };
  };
  const account = async (id: string) => (await ports.accounts.find(id)) ?? failWithoutAccount();
  /** The audit rows about a user, newest last. */
  const rowsAbout = async (user: string) => {
    await mail.settle();
    const rows = [];
    for await (const row of accounts.operate.listAudit({ user })) rows.push(row);
    return rows;
  };

  return {
    ...context,
    ...mail,
    ports,
    clock,
    accounts,
    operate: accounts.operate,
    signUp,
    turnOnFactor,
    signUpWithFactor: async (email?: string) => {
      const user = await signUp(email);
      return { ...user, app: await turnOnFactor(user) };
    },
    logIn: (email: string, more: { password?: string; verificationCode?: string } = {}, by = caller) =>
      accounts.logIn({ email, password, ...more }, by),
    /** Whether an access token is valid. */
    isActive: async (token: string) => (await accounts.introspect({ token })).active,
    account,
    /** Changes a stored account in ways that no call allows. */
    edit: async (id: string, differences: Partial<Account>) =>
      ports.accounts.save({ ...(await account(id)), ...differences }),
    rowsAbout,
    actionsAbout: async (user: string) => (await rowsAbout(user)).map(({ action }) => action),
  };
};

const failWithoutAccount = (): never => {
  throw new Error('There is no such account.');
};

export type AccountsContext = Awaited<ReturnType<typeof openAccounts>>;

/** A new core for each test of the suite. */
export const useAccounts = (...options: Parameters<typeof openAccounts>): (() => AccountsContext) => {
  let context: AccountsContext | undefined;
  beforeEach(async () => {
    context = await openAccounts(...options);
  });
  return () => {
    if (context === undefined) throw new Error('No test is running.');
    return context;
  };
};
