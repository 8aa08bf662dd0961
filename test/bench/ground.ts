import { openTestService, type User } from '../support/service.ts';
import { inFolder } from './folder.ts';
import { startProgram } from './program.ts';
import type { Client } from './request.ts';
import { SETTINGS, type Server, startServer } from './server.ts';

/** Signs users up with a cheap password hash; the server under test replaces it at the first login. */
const signUp = async (
  folder: string,
  count: number,
  settings: Readonly<Record<string, string>>,
): Promise<readonly User[]> => {
  const service = await openTestService({ ...SETTINGS, ...settings, SCRYPT: 'ln=8,r=8,p=1' }, folder);
  const users: User[] = [];
  while (users.length < count) users.push(await service.signUp());
  await service.close();
  return users;
};

export interface Ground {
  readonly folder: string;
  readonly server: Server;
  readonly users: readonly User[];
  /** A further user, whose session is not ended by the sign-ins of the others. */
  readonly user: User;
}

/** Starts a server with this many users and one more, all of them signed in. */
export const withServer = <T>(
  users: number,
  work: (ground: Ground) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> =>
  inFolder(async (folder) => {
    const [user, ...others] = await signUp(folder, users + 1, settings);
    if (user === undefined) throw new Error('No user was signed up.');
    const server = await startServer(folder, 'accounts', settings);
    try {
      return await work({ folder, server, users: others, user });
    } finally {
      await server.close();
    }
  });

/** Starts a bare Koa route that answers with this many bytes. */
export const withBareKoa = async <T>(bytes: number, work: (port: number) => Promise<T>): Promise<T> => {
  const koa = await startProgram<{ bytes: number }, { port: number }>('bare-koa', { bytes });
  try {
    return await work(koa.answer.port);
  } finally {
    await koa.end();
  }
};

export const me = ({ token }: User): Client => ({ method: 'GET', path: '/api/auth/me', token });

export const logIn = ({ email, password }: User): Client => ({
  method: 'POST',
  path: '/api/auth/login',
  body: JSON.stringify({ email, password }),
});

export const refresh = ({ refreshToken }: User): Client => ({
  method: 'POST',
  path: '/api/auth/refresh',
  body: JSON.stringify({ refreshToken }),
});
