import type { Account } from '../../../core/accounts/account.ts';
import { type AccountsPolicy, type AccountsPorts, type Caller, createAccounts } from '../../../core/index.ts';
import { makeApp } from '../../servers/accounts/second-factor/factor.ts';
import { byMail, caller, openPorts, password, tokensIn } from './open-core.ts';

export { tokensIn } from './open-core.ts';

export const newPassword = 'another horse battery';

/** A caller elsewhere. */
export const from = (address: string): Caller => ({ ...caller, address, client: address });

/** The token by which a sign-in goes on to its second step. */
export const pendingIn = (answer: object): string => {
  if (!('pendingToken' in answer)) throw new Error('No second factor is asked for.');
  return String(answer.pendingToken);
};

/** The core on a store of its own, with a clock that tests move, and users who sign up by its calls. */
export const openPeople = async (
  policy: Partial<AccountsPolicy> = {},
  overrides: (ports: AccountsPorts) => Partial<AccountsPorts> = () => ({}),
  opened: ReturnType<typeof openPorts> = openPorts(),
) => {
  let ahead = 0;
  const { now } = opened.ports.clock;
  const clock = {
    now: () => now() + ahead,
    advance: (milliseconds: number) => {
      ahead += milliseconds;
    },
  };
  const ports = { ...opened.ports, clock, ...overrides(opened.ports) };
  const accounts = createAccounts(ports, policy);
  await accounts.open();
  const mail = byMail(accounts, opened.mails);

  /** A verified user with one session. */
  const signUp = async (email = 'ada@example.com', by: Caller = caller) => {
    const answer = tokensIn(await mail.verify(email, by));
    await mail.settle();
    const who = (token = answer.token) => accounts.authenticate(token);
    return { id: answer.user.id, email, token: answer.token, refreshToken: answer.refreshToken, who };
  };
  type Person = Awaited<ReturnType<typeof signUp>>;
  const turnOnFactor = async ({ who }: Pick<Person, 'who'>) => {
    const setup = await accounts.configureTwoFactor(await who(), { enable: true }, caller);
    const app = makeApp({ clock }, 'secret' in setup ? setup.secret : '');
    const confirm = { enable: true, secret: app.secret, verificationCode: app.fresh() };
    const on = await accounts.configureTwoFactor(await who(), confirm, caller);
    return { ...app, recoveryCodes: ('recoveryCodes' in on && on.recoveryCodes) || [] };
  };
  const account = async (id: string) => (await ports.accounts.find(id)) ?? expectAccount();
  /** The rows about a user, newest last. */
  const rowsAbout = async (user: string) => {
    await mail.settle();
    const rows = [];
    for await (const row of accounts.operate.listAudit({ user })) rows.push(row);
    return rows;
  };

  return {
    ...opened,
    ...mail,
    ports,
    clock,
    accounts,
    operate: accounts.operate,
    signUp,
    turnOnFactor,
    signUpWithFactor: async (email?: string) => {
      const person = await signUp(email);
      return { ...person, app: await turnOnFactor(person) };
    },
    logIn: (email: string, more: { password?: string; verificationCode?: string } = {}, by = caller) =>
      accounts.logIn({ email, password, ...more }, by),
    /** Whether an access token is good. */
    isGood: async (token: string) => (await accounts.introspect({ token })).active,
    account,
    /** Writes into a stored account what no call would write. */
    edit: async (id: string, differences: Partial<Account>) =>
      ports.accounts.save({ ...(await account(id)), ...differences }),
    rowsAbout,
    actionsAbout: async (user: string) => (await rowsAbout(user)).map(({ action }) => action),
  };
};

const expectAccount = (): never => {
  throw new Error('There is no such account.');
};

export type People = Awaited<ReturnType<typeof openPeople>>;

/** The core of each test of the suite. */
export const usePeople = (...options: Parameters<typeof openPeople>): (() => People) => {
  let people: People | undefined;
  beforeEach(async () => {
    people = await openPeople(...options);
  });
  return () => {
    if (people === undefined) throw new Error('Nothing is open.');
    return people;
  };
};
