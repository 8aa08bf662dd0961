import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheFolder } from '../cache-folder.ts';

/** A program other than Node.js that suites use. These suites are in the second tier, which `npm run test:all` runs. */
export interface OutsideProgram {
  readonly name: string;
  /** The setting that names a running server, or the path of the program or package. */
  readonly setting?: string;
  /** Programs of which the suites need one. */
  readonly programs: readonly string[];
  /** The folder in the tests' cache where `.ci/run` installs it; searched before the PATH. */
  readonly cached?: string;
  /** Folders of some systems outside the PATH; searched last. */
  readonly folders?: readonly string[];
  /** The suites are valid for the version in the cache only: the PATH, which may have another, is not searched. */
  readonly pinned?: true;
  /** The suites that use it: files whose path contains one of these. */
  readonly suites: readonly string[];
  /** It needs an account, or a program without a package: no run requires it. */
  readonly optional?: true;
}

/** The folder of Debian's packages for PostgreSQL, one for each version. */
const DEBIAN_POSTGRESQL = '/usr/lib/postgresql';

/** The program folders of all versions, the newest first. */
const debianPostgresql = (): readonly string[] =>
  (existsSync(DEBIAN_POSTGRESQL) ? readdirSync(DEBIAN_POSTGRESQL) : [])
    .sort((version, other) => Number(other) - Number(version))
    .map((version) => join(DEBIAN_POSTGRESQL, version, 'bin'));

export const outsidePrograms: readonly OutsideProgram[] = [
  {
    name: 'Redis',
    setting: 'REDIS_URL',
    programs: ['redis-server'],
    suites: ['/redis/', '/metadata/cut-off.', '/mongodb/hanging-redis.'],
  },
  {
    name: 'MongoDB',
    setting: 'MONGODB_URL',
    programs: ['secantusd-py', 'mongod'],
    cached: 'secantus',
    suites: ['/mongodb/'],
  },
  {
    name: 'PostgreSQL',
    setting: 'POSTGRES_URL',
    programs: ['postgres'],
    cached: 'postgresql-18',
    folders: debianPostgresql(),
    suites: ['/postgresql/'],
  },
  // For the suites about a single version.
  ...['15', '16', '17', '18'].map((version) => ({
    name: `PostgreSQL ${version}`,
    programs: ['postgres'],
    cached: `postgresql-${version}`,
    folders: [join(DEBIAN_POSTGRESQL, version, 'bin')],
    pinned: true as const,
    suites: [`/postgresql-${version}.`],
  })),
  { name: 'PgBouncer', programs: ['pgbouncer'], folders: ['/usr/sbin'], suites: ['pgbouncer.'] },
  {
    name: 'Chromium',
    setting: 'GATEHOUSE_TEST_CHROMIUM',
    programs: ['chromium-headless-shell', 'chromium'],
    suites: ['/browser/', '/outside/frameworks/next'],
  },
  { name: 'nginx', setting: 'GATEHOUSE_TEST_NGINX', programs: ['nginx'], suites: ['/nginx/'] },
  {
    name: 'moto',
    setting: 'GATEHOUSE_TEST_MOTO_URL',
    programs: ['moto_server'],
    cached: 'moto',
    pinned: true,
    suites: ['-moto.'],
  },
  {
    name: 'schemathesis',
    setting: 'GATEHOUSE_TEST_SCHEMATHESIS',
    programs: ['schemathesis'],
    cached: 'schemathesis',
    pinned: true,
    suites: ['/schemathesis/'],
  },
  // The suites run lines of the documents, which call curl.
  {
    name: 'curl',
    programs: ['curl'],
    suites: ['/run/readme.', '/deploying/guide.', '/metrics-shown.', '/embedding/embedding.'],
  },
  { name: 'jq', programs: ['jq'], suites: ['/cli/shown.'] },
  {
    name: 'openssl',
    programs: ['openssl'],
    suites: ['/signed-deliveries/webhook-sender.system', '/webhooks/guide.', '/deploying/', '/secured.'],
  },
  { name: 'strace', programs: ['strace'], suites: ['/engine/fsync.'] },
  { name: 'zsh', programs: ['zsh'], suites: ['/completion-shells.'] },
  { name: 'fish', programs: ['fish'], suites: ['/completion-shells.'] },
  { name: 'git', programs: ['git'], suites: ['/embedding/packaging.'] },
  { name: 'systemd', programs: ['systemd-analyze'], suites: ['/deploying-units.'], optional: true },
  { name: 'Prometheus', programs: ['promtool'], suites: ['/observed/prometheus.'], optional: true },
  {
    name: 'Polar client',
    setting: 'GATEHOUSE_TEST_POLAR_CLIENT',
    programs: [],
    suites: ['/own-client', '/sandbox-client'],
  },
  {
    name: 'Standard Webhooks in Python',
    setting: 'GATEHOUSE_TEST_STANDARD_WEBHOOKS',
    programs: [],
    suites: ['/webhooks/python'],
  },
  { name: 'outside apps', setting: 'GATEHOUSE_TEST_OUTSIDE', programs: [], suites: ['/outside/'] },
  { name: 'PyJWT', setting: 'GATEHOUSE_TEST_PYJWT', programs: [], suites: ['/verify/python'] },
  {
    name: 'Helm',
    setting: 'GATEHOUSE_TEST_HELM',
    programs: ['helm'],
    cached: 'kubernetes',
    pinned: true,
    suites: ['/helm/'],
  },
  // Python, with the packages that `test/support/servers/manifests.py` uses.
  {
    name: 'kubernetes-validate',
    programs: ['python'],
    cached: 'kubernetes',
    pinned: true,
    suites: ['/helm/'],
  },
  { name: 'Go', setting: 'GATEHOUSE_TEST_GO', programs: ['go'], suites: ['/verify/go'], optional: true },
  {
    name: 'real AWS KMS',
    setting: 'GATEHOUSE_TEST_AWS_KMS_KEY_ID',
    programs: [],
    suites: ['/kms/aws-real'],
    optional: true,
  },
  {
    name: 'real Vault',
    setting: 'GATEHOUSE_TEST_VAULT_ADDR',
    programs: [],
    suites: ['/kms/vault-real'],
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

const foldersOf = (
  { cached, pinned, folders = [] }: OutsideProgram,
  env: NodeJS.ProcessEnv,
): readonly string[] => [
  ...(cached === undefined ? [] : [join(cacheFolder(env), cached, 'bin')]),
  ...(pinned ? [] : (env.PATH ?? '').split(delimiter)),
  ...folders,
];

const rowOf = (name: string): OutsideProgram => {
  const row = outsidePrograms.find((program) => program.name === name);
  if (row === undefined) throw new Error(`No program of this name: ${name}`);
  return row;
};

/** The path of the program with this name in the table; undefined if it is not installed. */
export const findProgram = (name: string, env: NodeJS.ProcessEnv = process.env): string | undefined => {
  const row = rowOf(name);
  return foldersOf(row, env)
    .flatMap((folder) => row.programs.map((program) => join(folder, program)))
    .find(isExecutable);
};

/** The value of the program's setting, or else the path of the program. */
export const programPath = (name: string): string => {
  const { setting = '' } = rowOf(name);
  const path = process.env[setting] || findProgram(name);
  if (path === undefined) throw new Error(`There is no ${name}.`);
  return path;
};

export const usesOutsideProgram = (file: string): boolean =>
  outsidePrograms.some(({ suites }) => suites.some((part) => file.includes(part)));

/** The programs that one of the files uses and that are neither named by a setting nor installed. */
export const missingPrograms = (
  files: readonly string[],
  env: NodeJS.ProcessEnv,
): readonly OutsideProgram[] =>
  outsidePrograms.filter(
    ({ name, setting = '', suites }) =>
      files.some((file) => suites.some((part) => file.includes(part))) &&
      !env[setting] &&
      findProgram(name, env) === undefined,
  );

/** Prints why suites are left out, and how to run them. */
export const leftOutLine = ({ name, setting, programs, cached, pinned }: OutsideProgram): string => {
  const ways = [
    ...(cached === undefined ? [] : ['install it as .ci/run does']),
    ...(pinned || programs.length === 0 ? [] : [`put ${programs.join(' or ')} on the PATH`]),
    ...(setting === undefined ? [] : [`set ${setting}`]),
  ];
  return `Left out: the suites that use ${name}. To run them ${ways.join(' or ')}.`;
};
