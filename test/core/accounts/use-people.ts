import { type AccountsPolicy, type AccountsPorts, type Caller, createAccounts } from '../../../core/index.ts';
import { makeApp } from '../../servers/accounts/second-factor/factor.ts';
import { password } from './admin/open-operated.ts';
import { caller, openPorts } from './open-core.ts';

export const newPassword = 'another horse battery';

/** A caller elsewhere. */
export const from = (address: string): Caller => ({ ...caller, address, client: address });

/** The pair in an answer to a sign-in. */
export const tokensIn = (answer: object): { readonly token: string; readonly refreshToken: string } => {
  if (!('token' in answer && 'refreshToken' in answer)) throw new Error('Nobody is signed in.');
  return { token: String(answer.token), refreshToken: String(answer.refreshToken) };
};

/** The token by which a sign-in goes on to its second step. */
export const pendingIn = (answer: object): string => {
  if (!('pendingToken' in answer)) throw new Error('No second factor is asked for.');
  return String(answer.pendingToken);
};

/** The core on a store of its own, with a clock that tests move, and users who sign up by its calls. */
export const openPeople = async (
  policy: Partial<AccountsPolicy> = {},
  overrides: (ports: AccountsPorts) => Partial<AccountsPorts> = () => ({}),
) => {
  const opened = openPorts();
  let ahead = 0;
  const clock = {
    now: () => opened.ports.clock.now() + ahead,
    advance: (milliseconds: number) => {
      ahead += milliseconds;
    },
  };
  const ports = { ...opened.ports, clock, ...overrides(opened.ports) };
  const accounts = createAccounts(ports, policy);
  await accounts.open();

  const settle = async () => {
    while ((await accounts.background.relay()) > 0);
    await accounts.background.deliverMail(1);
  };
  const mailsTo = async (email: string) => {
    await settle();
    return opened.mails.filter(({ to }) => to === email);
  };
  /** The codes that were mailed to an address, the newest last. */
  const codesTo = async (email: string): Promise<readonly string[]> =>
    (await mailsTo(email)).flatMap(
      ({ text }) => /^ {4}(\d{6}|[0-9A-Z]{5}-[0-9A-Z]{5})$/m.exec(text)?.[1] ?? [],
    );
  const codeTo = async (email: string): Promise<string> => (await codesTo(email)).at(-1) ?? '';

  /** A verified user with one session. */
  const signUp = async (email = 'ada@example.com', by: Caller = caller) => {
    await accounts.register({ email, password }, by);
    const answer = await accounts.verifyEmail({ email, code: await codeTo(email) }, by);
    await settle();
    const { token } = answer;
    return { id: answer.user.id, email, ...tokensIn(answer), who: () => accounts.authenticate(token) };
  };
  type Person = Awaited<ReturnType<typeof signUp>>;
  const turnOnFactor = async ({ who }: Pick<Person, 'who'>) => {
    const setup = await accounts.configureTwoFactor(await who(), { enable: true }, caller);
    const app = makeApp({ clock }, 'secret' in setup ? setup.secret : '');
    const confirm = { enable: true, secret: app.secret, verificationCode: app.fresh() };
    const on = await accounts.configureTwoFactor(await who(), confirm, caller);
    return { ...app, recoveryCodes: ('recoveryCodes' in on && on.recoveryCodes) || [] };
  };

  return {
    ...opened,
    ports,
    clock,
    accounts,
    settle,
    mailsTo,
    codesTo,
    codeTo,
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
    account: async (id: string) => (await ports.accounts.find(id)) ?? expectAccount(),
    /** The actions of the rows about a user, in order. */
    actionsAbout: async (user: string) => {
      await settle();
      const actions: (string | null)[] = [];
      for await (const { action } of accounts.operate.listAudit({ user })) actions.push(action);
      return actions;
    },
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
