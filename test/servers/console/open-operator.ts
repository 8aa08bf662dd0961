import type { OperatorRole } from '../../../core/index.ts';
import type { Reply, RequestOptions, TestService, User } from '../../support/service.ts';
import { askConsole, cookieOf, makeOperator, signIn } from './console-client.ts';

/** An operator with a browser that stores the newest cookie, since a proof replaces the cookie. */
export const openOperator = async (service: TestService, role: OperatorRole) => {
  const operator = await makeOperator(service, role);
  const { user, app } = operator;
  let cookie = cookieOf(await signIn(service, operator));
  if (cookie === undefined) throw new Error('The operator is not signed in.');

  const send = async (method: string, path: string, options: RequestOptions = {}): Promise<Reply> => {
    const reply = await askConsole(service, method, path, { ...options, cookie });
    cookie = cookieOf(reply) ?? cookie;
    return reply;
  };
  return {
    ...user,
    send: (method: string, path: string, options?: RequestOptions) =>
      send(method, `/api/admin/${path}`, options),
    /** Sends a fresh proof. */
    prove: () =>
      send('POST', '/api/auth/reauthenticate', {
        body: { password: user.password, verificationCode: app.fresh() },
      }),
  };
};

export type OperatorAtPage = Awaited<ReturnType<typeof openOperator>>;

/** The audit rows about a user, the newest last, including those that waited in the outbox. */
export const rowsAbout = async ({ composition }: TestService, user: Pick<User, 'id'>) => {
  const { background, operate } = composition.accounts;
  while ((await background.relay()) > 0);
  const rows = [];
  for await (const row of operate.listAudit({ user: user.id })) rows.push(row);
  return rows;
};
