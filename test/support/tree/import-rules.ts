import { importsOf, type SourceFile, withoutComments } from './imports.ts';

/** Describes how a file breaks a rule; empty if it does not. */
export type Rule = (file: SourceFile) => readonly string[];

const LAYERS = /^(?:core|adapters|servers|cli|test)\//;
const isOurs = (target: string) => LAYERS.test(target);
const isCore = (path: string) => path.startsWith('core/');
const isNode = (target: string) => target.startsWith('node:');
/** The modules that combine adapters: they may import every adapter. */
const isComposition = (path: string) =>
  /^adapters\/(?:compose(?:\.ts|\/)|gatehouse\.ts|memory\.ts|choose-store\.ts|installation(?:\.ts|\/))/.test(
    path,
  );
const isConfig = (path: string) => /^adapters\/config(?:\.ts|\/)/.test(path);
const isEntry = (path: string) => /^servers\/(?:run\/)?[^/]+\.ts$/.test(path) || path === 'cli/main.ts';

/** `core/accounts` of `core/accounts/sign-in/sign-in.ts`; undefined for files directly in a layer. */
const part = (path: string) => /^[^/]+\/[^/]+(?=\/)/.exec(path)?.[0];

/** A rule about single imports in the files that `where` picks. */
const forbid =
  (
    where: (path: string) => boolean,
    allowed: (target: string, path: string) => boolean,
    because: string,
  ): Rule =>
  (file) =>
    where(file.path)
      ? importsOf(file)
          .filter((target) => target === undefined || !allowed(target, file.path))
          .map((target) => `${file.path} imports ${target ?? 'what cannot be read here'}: ${because}`)
      : [];

export const coreStandsAlone = forbid(
  (path) => path.startsWith('core/'),
  (target) => target.startsWith('core/'),
  'the core imports nothing but the core',
);

export const featuresMeetAtTheirDoor = forbid(
  (path) => path.startsWith('core/') && path !== 'core/index.ts',
  (target, path) => {
    const feature = part(target);
    if (feature === undefined) return target !== 'core/index.ts';
    return feature === part(path) || target === `${feature}/index.ts`;
  },
  'another feature is reached through its index.ts only, and core/index.ts is for those outside',
);

/**
 * Modules that every adapter may import: plain files, calls over the network, the format of signed deliveries, the stores of an
 * SQL database, the sections of an export, the port list of a store, random bytes, the folder of `DATA_DIR`, and the error for a
 * wrong setting.
 */
const SHARED = [
  'adapters/files/atomic-write.ts',
  'adapters/files/create-or-replace-secret-file.ts',
  'adapters/files/json.ts',
  'adapters/files/tar.ts',
  'adapters/files/watched-file.ts',
  'adapters/calls/',
  'adapters/signed-deliveries/signature.ts',
  'adapters/signed-deliveries/polar-events.ts',
  'adapters/sql/',
  'adapters/transfer/',
  'adapters/store.ts',
  'adapters/crypto/random.ts',
  'adapters/data-dir.ts',
  'adapters/config/config-error.ts',
];

export const adaptersKeepApart = forbid(
  (path) => path.startsWith('adapters/') && !isComposition(path) && !isConfig(path),
  (target, path) =>
    !isOurs(target) ||
    target.startsWith('core/') ||
    part(path) === part(target) ||
    SHARED.some((shared) => target.startsWith(shared)),
  'an adapter imports the core and its own folder, no other adapter',
);

export const configStandsAlone = forbid(
  isConfig,
  (target) => !isOurs(target) || target.startsWith('core/') || isConfig(target),
  'the settings are read without any adapter',
);

export const compositionJoinsCoreAndAdapters = forbid(
  isComposition,
  (target) => !isOurs(target) || target.startsWith('core/') || target.startsWith('adapters/'),
  'the composition knows core and adapters alone',
);

export const oneContainer = forbid(
  (path) => !path.startsWith('test/') && !isComposition(path),
  (target) => target !== 'tsyringe' && target !== 'reflect-metadata',
  'only the composition knows the container',
);

const SERVER_PACKAGES = ['koa', '@koa/router', 'koa-body', 'busboy', 'ajv'];

const isClient = (path: string) => path.startsWith('servers/client/');
const isVerifier = (path: string) => path.startsWith('servers/verify/');
const isWeb = (path: string) => path.startsWith('servers/web/');

export const serversAreThin = forbid(
  (path) =>
    path.startsWith('servers/') && !isEntry(path) && !isClient(path) && !isVerifier(path) && !isWeb(path),
  (target) =>
    target.startsWith('core/') ||
    target.startsWith('servers/') ||
    isNode(target) ||
    SERVER_PACKAGES.includes(target),
  `a server imports core, servers, node:* and ${SERVER_PACKAGES.join(', ')}`,
);

export const clientRunsAnywhere = forbid(
  isClient,
  (target) =>
    isClient(target) ||
    target === 'openapi-fetch' ||
    target === 'openapi-typescript-helpers' ||
    target === 'core/check-arguments.ts' ||
    target === 'core/schema.ts',
  'the client imports itself, openapi-fetch with its types, and the check of arguments: it runs in browsers, without the services',
);

export const verifierRunsAnywhere = forbid(
  isVerifier,
  (target) => isVerifier(target) || target === 'core/access-token.ts' || /^jose(?:\/|$)/.test(target),
  'the verifier imports itself, the form of access tokens and jose: it runs in other services, also on the edge',
);

const WEB_PACKAGES = /^(?:preact(?:\/hooks)?|@preact\/signals)$/;

export const webStandsAlone: Rule = (file) => [
  ...forbid(
    isWeb,
    (target) => isWeb(target) || target.startsWith('servers/client/') || WEB_PACKAGES.test(target),
    'the pages import themselves, the client, preact and signals: they run in browsers',
  )(file),
  ...forbid(
    (path) => !isWeb(path) && !path.startsWith('test/'),
    (target) => !isWeb(target),
    'nothing but a browser loads the pages',
  )(file),
];

const SINKS =
  /\b(?:dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\s*\(|new Function)|\bstyle=|\bhref=\{(?!link\(|withParameters\()/;

/** No text becomes markup, style or code, and no URL goes into a link unchecked. */
export const webHasNoSinks: Rule = (file) => {
  const sink = isWeb(file.path) ? SINKS.exec(withoutComments(file.text))?.[0] : undefined;
  return sink === undefined ? [] : [`${file.path} has ${sink}: texts stay texts, links go through link()`];
};

/** The modules outside their layer that entries may import. */
const DOORS = [
  'adapters/compose.ts',
  'adapters/installation.ts',
  'adapters/config.ts',
  'adapters/exit-codes.ts',
  'adapters/version.ts',
  // A path from `dist/`: `../` is the package's folder.
  '../cli/node-version.mjs',
];

export const entriesOnlyCompose = forbid(
  isEntry,
  (target, path) =>
    isNode(target) ||
    target.startsWith('core/') ||
    DOORS.includes(target) ||
    target.startsWith(path.startsWith('cli/') ? 'cli/' : 'servers/') ||
    (path === 'cli/main.ts' && target === 'commander'),
  'an entry joins configuration, composition and its own layer',
);

export const commandsAreThin = forbid(
  (path) => path.startsWith('cli/') && !isEntry(path),
  (target) =>
    target.startsWith('core/') ||
    target.startsWith('cli/') ||
    target === 'adapters/exit-codes.ts' ||
    isNode(target) ||
    target === 'commander' ||
    target === 'string-width',
  'a command imports core, cli, the exit codes, node:*, commander and string-width',
);

/** The files of `gatehouse/testing`: the contract suites except that of a store's transfer, which no app implements. */
const isPublishedTest = (path: string) =>
  PUBLISHED_WITH_CONTRACTS.includes(path) || /^test\/contracts\/(?!transfer)/.test(path);

const PUBLISHED_WITH_CONTRACTS = ['read-mail', 'recording-log', 'spellings'].map(
  (name) => `test/support/${name}.ts`,
);

export const contractsGoOut = forbid(
  isPublishedTest,
  (target) =>
    target.startsWith('core/') ||
    isPublishedTest(target) ||
    isNode(target) ||
    ['chai', 'fast-check'].includes(target),
  'the suites of the ports import core, themselves, node:*, chai and fast-check: others run them',
);

const ENVIRONMENT = /\bprocess\s*(?:\?\.|\.|\[\s*['"`])\s*env\b|\benv\b[^=;{}]*\}\s*=\s*process\b/;

/** Only the configuration reads the environment. */
export const oneReaderOfSettings: Rule = (file) => {
  if (isConfig(file.path) || file.path.startsWith('test/')) return [];
  const code = withoutComments(file.text);
  const reads =
    ENVIRONMENT.test(code) || importsOf(file).some((target) => /^(?:node:)?process$/.test(target ?? ''));
  return reads ? [`${file.path} reads the environment: only adapters/config does`] : [];
};

const NODE_GLOBALS = /(?<![.\w])(?:process|Buffer|require|console|__dirname)\b(?=\s*[.([])/;

/** Core, client and verifier do not use globals of Node.js, which need no import. */
export const coreUsesNoNodeGlobals: Rule = (file) => {
  const runsAnywhere = [isCore, isClient, isVerifier].some((is) => is(file.path));
  const used = runsAnywhere ? NODE_GLOBALS.exec(withoutComments(file.text))?.[0] : undefined;
  return used === undefined ? [] : [`${file.path} uses ${used}: core, client and verifier run anywhere`];
};
