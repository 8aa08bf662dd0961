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
  /** It takes an account with somebody, or what a bare machine has no package of: no run requires it. */
  readonly optional?: true;
}

export const realServers: readonly RealServer[] = [
  { name: 'Redis', setting: 'REDIS_URL', programs: ['redis-server'], suites: '/redis/' },
  { name: 'MongoDB', setting: 'MONGODB_URL', programs: ['secantusd-py', 'mongod'], suites: '/mongodb/' },
  { name: 'browser', setting: 'GATEHOUSE_TEST_CHROMIUM', programs: ['chromium'], suites: '/browser/' },
  { name: 'nginx', setting: 'GATEHOUSE_TEST_NGINX', programs: ['nginx'], suites: '/nginx/' },
  {
    name: 'moto',
    setting: 'GATEHOUSE_TEST_MOTO_URL',
    programs: ['moto_server'],
    suites: '-moto.',
  },
  {
    name: 'schemathesis',
    setting: 'GATEHOUSE_TEST_SCHEMATHESIS',
    programs: ['schemathesis'],
    suites: '/schemathesis/',
  },
  {
    name: 'Polar client',
    setting: 'GATEHOUSE_TEST_POLAR_CLIENT',
    programs: [],
    suites: '/own-client',
  },
  {
    name: 'Standard Webhooks in Python',
    setting: 'GATEHOUSE_TEST_STANDARD_WEBHOOKS',
    programs: [],
    suites: '/webhooks/python',
  },
  {
    name: 'outside apps',
    setting: 'GATEHOUSE_TEST_OUTSIDE',
    programs: [],
    suites: '/outside/',
  },
  { name: 'PyJWT', setting: 'GATEHOUSE_TEST_PYJWT', programs: [], suites: '/verify/python' },
  {
    name: 'Helm',
    setting: 'GATEHOUSE_TEST_HELM',
    programs: ['helm'],
    suites: '/helm/',
    optional: true,
  },
  {
    // Ours: `test/support/servers/manifests`.
    name: 'manifests',
    setting: 'GATEHOUSE_TEST_MANIFESTS',
    programs: ['manifests'],
    suites: '/helm/',
    optional: true,
  },
  { name: 'Go', setting: 'GATEHOUSE_TEST_GO', programs: ['go'], suites: '/verify/go', optional: true },
  {
    name: 'real AWS KMS',
    setting: 'GATEHOUSE_TEST_AWS_KMS_KEY_ID',
    programs: [],
    suites: '/kms/aws-real',
    optional: true,
  },
  {
    name: 'real Vault',
    setting: 'GATEHOUSE_TEST_VAULT_ADDR',
    programs: [],
    suites: '/kms/vault-real',
    optional: true,
  },
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
const programFolders = (env: NodeJS.ProcessEnv): readonly string[] => {
  const cache = join(env.XDG_CACHE_HOME ?? join(env.HOME ?? '', '.cache'), 'gatehouse-tests');
  const ours = ['secantus', 'moto', 'schemathesis', 'helm'].map((name) => join(cache, name, 'bin'));
  return [...ours, ...(env.PATH ?? '').split(delimiter)];
};

/** The server's program, by its path; undefined where there is none. */
export const findProgram = (server: RealServer, env: NodeJS.ProcessEnv): string | undefined =>
  programFolders(env)
    .flatMap((folder) => server.programs.map((program) => join(folder, program)))
    .find(isExecutable);

/** Whether the server runs somewhere or can be started here. */
export const isThere = (server: RealServer, env: NodeJS.ProcessEnv): boolean =>
  Boolean(env[server.setting]) || findProgram(server, env) !== undefined;

/** Why suites are left out, and what would let them run. */
export const leftOutLine = ({ name, setting, programs }: RealServer): string => {
  const program = programs.length === 0 ? '' : `put ${programs.join(' or ')} on the PATH or `;
  return `Left out: the ${name} suites. To run them ${program}set ${setting}.`;
};
