import { ask, type Reply, type RequestOptions, type TestService } from '../../support/service.ts';
import { cookieValueIn } from '../accounts/cookies/jar.ts';
import { signUpWithFactor } from '../accounts/second-factor/factor.ts';

const COOKIE = /gatehouse-console=([^;]*)/;

/** The value of the console's cookie that an answer sets, or undefined. */
export const cookieOf = ({ headers }: Reply): string | undefined => {
  const [, value] = COOKIE.exec(headers.getSetCookie().join('\n')) ?? [];
  return value === '' ? undefined : value;
};

/** Calls the console as its own page does. */
export const askConsole = (
  { consoleUrl }: TestService,
  method: string,
  path: string,
  { cookie, ...options }: RequestOptions & { readonly cookie?: string | undefined } = {},
): Promise<Reply> =>
  ask(consoleUrl, method, path, {
    ...options,
    headers: {
      Origin: consoleUrl,
      ...(cookie === undefined ? {} : { Cookie: `gatehouse-console=${cookie}` }),
      ...options.headers,
    },
  });

/** An operator with a second factor, and the authenticator app with its codes. */
export const makeOperator = async (service: TestService, role: 'founder' | 'dev' = 'founder') => {
  const { user, app } = await signUpWithFactor(service);
  await service.composition.accounts.operate.appoint(user.id, role, { actor: 'operator:test' });
  return { user, app, role };
};

export type TestOperator = Awaited<ReturnType<typeof makeOperator>>;

/** Signs an operator in. Returns the answer. */
export const signIn = (service: TestService, { user, app }: Pick<TestOperator, 'user' | 'app'>) =>
  askConsole(service, 'POST', '/api/admin/sign-in', {
    body: { email: user.email, password: user.password, verificationCode: app.fresh() },
  });

/** A signed-in operator, with functions that call the console in the operator's name. */
export const openSignedInOperator = async (service: TestService, role: 'founder' | 'dev' = 'founder') => {
  const operator = await makeOperator(service, role);
  const answer = await signIn(service, operator);
  const cookie = cookieOf(answer);
  if (cookie === undefined) throw new Error(`No cookie: ${answer.status} ${JSON.stringify(answer.body)}`);
  return {
    ...operator,
    cookie,
    get: (path: string) => askConsole(service, 'GET', path, { cookie }),
    act: (method: 'POST' | 'PUT' | 'DELETE', path: string, body: Readonly<Record<string, unknown>> = {}) =>
      askConsole(service, method, path, { cookie, body: { reason: 'a test', ...body } }),
  };
};

const CLI = { actor: 'operator:cli' } as const;

/** Makes a user an operator. */
export const appoint = (
  { composition }: TestService,
  { id }: Pick<TestOperator['user'], 'id'>,
  role: 'founder' | 'dev' = 'dev',
) => composition.accounts.operate.appoint(id, role, CLI);

/** Removes the role. The last founder cannot be dismissed. */
export const dismiss = ({ composition }: TestService, { id }: Pick<TestOperator['user'], 'id'>) =>
  composition.accounts.operate.dismiss(id, CLI);

/** The console in a browser that stores its cookie. `at` is the listener that it calls. */
export const openConsole = (service: TestService, at = service.consoleUrl) => {
  let value = '';
  const send = async (method: string, path: string, options: RequestOptions = {}): Promise<Reply> => {
    const cookie = value === '' ? {} : { Cookie: `gatehouse-console=${value}` };
    const headers = { 'Sec-Fetch-Site': 'same-origin', ...cookie, ...options.headers };
    const reply = await ask(at, method, path, { ...options, headers });
    value = cookieValueIn(reply) ?? value;
    return reply;
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send('POST', path, { body, headers });
  return {
    send,
    post,
    signIn: (
      { user: { email, password }, app }: Pick<TestOperator, 'user' | 'app'>,
      verificationCode = app.fresh(),
    ) => post('/api/admin/sign-in', { email, password, verificationCode }),
    /** 200 while the session is valid. */
    me: async () => (await send('GET', '/api/auth/me')).status,
    value: () => value,
    /** Replaces the stored cookie. */
    keep: (cookie: string) => {
      value = cookie;
    },
  };
};

/** An operator who is signed in to the console in a browser. */
export const openOperatorBrowser = async (service: TestService, role: 'founder' | 'dev' = 'dev') => {
  const operator = await makeOperator(service, role);
  const page = openConsole(service);
  await page.signIn(operator);
  return { ...operator, page };
};

export const outcome = ({ status, body }: Reply): readonly unknown[] => [status, body?.code];
