import { type Ask, ask, type Reply, type TestService } from '../../support/service.ts';
import { signUpWithFactor } from '../accounts/second-factor/factor.ts';

const COOKIE = /gatehouse-console=([^;]*)/;

/** The value of the console's cookie that an answer sets; undefined where it sets none. */
export const cookieOf = ({ headers }: Reply): string | undefined => {
  const [, value] = COOKIE.exec(headers.getSetCookie().join('\n')) ?? [];
  return value === '' ? undefined : value;
};

/** Asks the console as its own page does. */
export const askConsole = (
  { consoleUrl }: TestService,
  method: string,
  path: string,
  { cookie, ...given }: Ask & { readonly cookie?: string | undefined } = {},
): Promise<Reply> =>
  ask(consoleUrl, method, path, {
    ...given,
    headers: {
      Origin: consoleUrl,
      ...(cookie === undefined ? {} : { Cookie: `gatehouse-console=${cookie}` }),
      ...given.headers,
    },
  });

/** An operator with a second factor, and an app that shows its codes. */
export const makeOperator = async (service: TestService, role: 'founder' | 'dev' = 'founder') => {
  const { user, app } = await signUpWithFactor(service);
  await service.composition.accounts.operate.appoint(user.id, role, { actor: 'operator:test' });
  return { user, app, role };
};

export type TestOperator = Awaited<ReturnType<typeof makeOperator>>;

/** Signs an operator in; gives the answer. */
export const signIn = (service: TestService, { user, app }: Pick<TestOperator, 'user' | 'app'>) =>
  askConsole(service, 'POST', '/api/admin/sign-in', {
    body: { email: user.email, password: user.password, verificationCode: app.fresh() },
  });

/** An operator who is signed in, and a function that asks in their name. */
export const operatorAt = async (service: TestService, role: 'founder' | 'dev' = 'founder') => {
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
