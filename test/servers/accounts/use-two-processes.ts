import { join } from 'node:path';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { type RunningServer, useServerProcesses } from '../../support/servers/server-process.ts';
import { ask, type Reply, type RequestOptions, type User } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { insist } from './contested-rounds.ts';

export const password = 'correct horse battery';

/** Two processes on one store for all tests of a suite. Calls alternate between them; each test has its own users. */
export const useTwoProcesses = (settings: () => Readonly<Record<string, string>> = () => ({})) => {
  const processes = useServerProcesses('suite');
  const folder = useTempFolder('suite');
  let servers: readonly RunningServer[] = [];
  before(async () => {
    const common = { DATA_DIR: folder(), HASH_QUEUE: '100', LOG_LEVEL: 'warn' };
    const start = () => processes.start('accounts', folder(), { ...common, ...settings() });
    servers = await Promise.all([start(), start()]);
  });

  let calls = 0;
  /** The address of the next process. */
  const url = (): string => {
    calls += 1;
    return servers[calls % servers.length]?.url ?? '';
  };
  const request = (method: string, path: string, options?: RequestOptions): Promise<Reply> =>
    ask(url(), method, path, options);
  const post = (path: string, body: unknown, options: RequestOptions = {}): Promise<Reply> =>
    request('POST', path, { ...options, body });
  const mails = () => makeMailFolder(join(folder(), 'mail'));

  return {
    folder,
    url,
    request,
    post,
    mails,
    /** A verified user, logged in. */
    signUp: async (email: string): Promise<User> => {
      await insist(() => post('/api/auth/register', { email, password }));
      const code = await mails().codeFor(email);
      const verified = await insist(() => post('/api/auth/verify-email', { email, code, password }));
      // If the reply was lost, the code is spent already.
      const { body } =
        verified.status === 200 ? verified : await insist(() => post('/api/auth/login', { email, password }));
      const { token, refreshToken, user } = body;
      return {
        id: String(user?.id),
        email,
        password,
        token: String(token),
        refreshToken: String(refreshToken),
      };
    },
  };
};
