import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A server that suites talk to when it is there. */
export interface RealServer {
  readonly name: string;
  /** The setting that names a running one. */
  readonly setting: string;
  /** Programs that the suites start themselves, any of them. */
  readonly programs: readonly string[];
  /** The suites that need it: files whose path has this in it. */
  readonly suites: string;
}

export const realServers: readonly RealServer[] = [
  { name: 'Redis', setting: 'REDIS_URL', programs: ['redis-server'], suites: '/redis/' },
  { name: 'MongoDB', setting: 'MONGODB_URL', programs: ['secantusd-py', 'mongod'], suites: '/mongodb/' },
];

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The tests' cache folder, where `.ci/run` puts programs that the system has no package of. */
export const programFolders = (env: NodeJS.ProcessEnv): readonly string[] => {
  const cache = join(env.XDG_CACHE_HOME ?? join(env.HOME ?? '', '.cache'), 'gatehouse-tests');
  return [join(cache, 'secantus', 'bin'), ...(env.PATH ?? '').split(delimiter)];
};

/** Whether the server runs somewhere or can be started here. */
export const isThere = (server: RealServer, env: NodeJS.ProcessEnv): boolean =>
  Boolean(env[server.setting]) ||
  programFolders(env).some((folder) =>
    server.programs.some((program) => isExecutable(join(folder, program))),
  );

/** Why suites are left out, and what would let them run. */
export const leftOutLine = (server: RealServer): string =>
  `Left out: the ${server.name} suites. To run them put ${server.programs.join(' or ')} on the PATH or set ${server.setting}.`;
