import type { OperatorRole } from '../../../core/index.ts';
import type { Ask, Reply, TestService, User } from '../../support/service.ts';
import { askConsole, cookieOf, makeOperator, signIn } from './opened.ts';

/** An operator at a page that keeps the newest cookie: a proof changes it. */
export const openOperator = async (service: TestService, role: OperatorRole) => {
  const operator = await makeOperator(service, role);
  const { user, app } = operator;
  let cookie = cookieOf(await signIn(service, operator));
  if (cookie === undefined) throw new Error('The operator is not signed in.');

  const ask = async (method: string, path: string, given: Ask = {}): Promise<Reply> => {
    const reply = await askConsole(service, method, path, { ...given, cookie });
    cookie = cookieOf(reply) ?? cookie;
    return reply;
  };
  return {
    ...user,
    send: (method: string, path: string, given?: Ask) => ask(method, `/api/admin/${path}`, given),
    /** Proves anew who they are. */
    prove: () =>
      ask('POST', '/api/auth/reauthenticate', {
        body: { password: user.password, verificationCode: app.fresh() },
      }),
  };
};

export type OperatorAtPage = Awaited<ReturnType<typeof openOperator>>;

/** The rows about a user, the newest last, with those that waited. */
export const rowsAbout = async ({ composition }: TestService, user: Pick<User, 'id'>) => {
  const { background, operate } = composition.accounts;
  while ((await background.relay()) > 0);
  const rows = [];
  for await (const row of operate.listAudit({ user: user.id })) rows.push(row);
  return rows;
};
