import {
  type Accounts,
  type Caller,
  createAccounts,
  type NewCookie,
  type SessionStore,
} from '../../../../core/index.ts';
import { caller, makeMailbox, openPorts, password } from '../open-core.ts';

export const email = 'ada@example.com';
export const byCookie: Caller = { ...caller, session: 'cookie' };

export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** The cookie value in an answer. */
export const cookieValueIn = (answer: object): string => {
  const { cookie }: { readonly cookie?: NewCookie } = answer;
  if (cookie === undefined) throw new Error('The answer has no cookie.');
  return cookie.value;
};

/** The core with cookie sessions, a verified user, and a clock that only the test advances. */
const openWithCookies = async () => {
  const core = openPorts();
  let now = core.ports.clock.now();
  const ports = { ...core.ports, clock: { now: () => now } };
  const processOn = (sessions: Partial<SessionStore> = {}): Accounts =>
    createAccounts(
      { ...ports, sessions: { ...ports.sessions, ...sessions } },
      { cookieSessions: true, operatorsNeedSecondFactor: false },
    );
  const accounts = processOn();
  const { user } = await makeMailbox(accounts, core.mails).verify(email);
  const logIn = async (client: Caller = byCookie) => {
    const answer = await accounts.logIn({ email, password }, client);
    if (answer.status !== 'signed_in') throw new Error('There is no second factor.');
    return answer;
  };
  return {
    ports,
    accounts,
    processOn,
    userId: user.id,
    logIn,
    lines: core.lines,
    mails: core.mails,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    session: async (value: string) => {
      const [userId = '', id = ''] = value.split('.');
      const session = await ports.sessions.find(userId, id);
      if (session === undefined) throw new Error('There is no such session.');
      return session;
    },
  };
};

type WithCookies = Awaited<ReturnType<typeof openWithCookies>>;

export const useCookies = (): (() => WithCookies) => {
  let core: WithCookies | undefined;
  beforeEach(async () => {
    core = await openWithCookies();
  });
  return () => {
    if (core === undefined) throw new Error('Nothing is open.');
    return core;
  };
};
