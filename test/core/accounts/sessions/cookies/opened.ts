import {
  type Accounts,
  type Caller,
  createAccounts,
  type Kept,
  type SessionStore,
} from '../../../../../core/index.ts';
import { caller, openPorts } from '../../open-core.ts';
import { password } from '../../operate/opened.ts';

export const email = 'ada@example.com';
export const byCookie: Caller = { ...caller, session: 'cookie' };

export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** The code of the refusal; `done` if there is none. */
export const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { readonly code?: unknown }) => error.code,
  );

/** The value in an answer. */
export const valueIn = ({ cookie }: Pick<Kept, 'cookie'>): string => {
  if (cookie === undefined) throw new Error('The answer has no cookie.');
  return cookie.value;
};

/** The core with sessions in cookies, a verified user, and a clock that stands until it is moved. */
const openWithCookies = async () => {
  const opened = openPorts();
  let now = opened.ports.clock.now();
  const ports = { ...opened.ports, clock: { now: () => now } };
  const processOn = (sessions: Partial<SessionStore> = {}): Accounts =>
    createAccounts(
      { ...ports, sessions: { ...ports.sessions, ...sessions } },
      { cookieSessions: true, operatorsNeedSecondFactor: false },
    );
  const accounts = processOn();
  await accounts.register({ email, password }, caller);
  await accounts.background.relay();
  await accounts.background.deliverMail(1);
  const code = /\b\d{6}\b/.exec(opened.mails.at(-1)?.text ?? '')?.[0] ?? '';
  const { user } = await accounts.verifyEmail({ email, code }, caller);
  const logIn = async (from: Caller = byCookie) => {
    const answer = await accounts.logIn({ email, password }, from);
    if (!('token' in answer)) throw new Error('There is no second factor.');
    return answer;
  };
  return {
    ports,
    accounts,
    processOn,
    userId: user.id,
    logIn,
    lines: opened.lines,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    session: async (value: string) => {
      const [userId = '', id = ''] = value.split('.');
      const found = await ports.sessions.find(userId, id);
      if (found === undefined) throw new Error('There is no such session.');
      return found;
    },
  };
};

type WithCookies = Awaited<ReturnType<typeof openWithCookies>>;

export const useCookies = (): (() => WithCookies) => {
  let opened: WithCookies | undefined;
  beforeEach(async () => {
    opened = await openWithCookies();
  });
  return () => {
    if (opened === undefined) throw new Error('Nothing is open.');
    return opened;
  };
};
