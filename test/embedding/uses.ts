import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../support/tree/root.ts';
import { runProgram } from './programs.ts';

/** The names by which an app imports the package, two of them for patterns. */
const DOORS = [
  'gatehouse',
  'gatehouse/adapters',
  'gatehouse/adapters/config',
  'gatehouse/adapters/sqlite/tries-store',
  'gatehouse/client',
  'gatehouse/servers',
  'gatehouse/servers/services',
  'gatehouse/testing',
  'gatehouse/verify',
];

const IMPORTER = `
const reads = [];
// Who asks stands below the text, this line and the trap. What packages read is their own affair.
const asked = () => new Error().stack.split('\\n')[3].includes('/gatehouse/dist/');
const env = process.env;
process.env = new Proxy(env, {
  get: (target, name) => { if (asked()) reads.push(String(name)); return target[name]; },
  has: (target, name) => { if (asked()) reads.push(String(name)); return name in target; },
  ownKeys: (target) => { if (asked()) reads.push('*'); return Reflect.ownKeys(target); },
});
const state = () => JSON.stringify({
  globals: Object.getOwnPropertyNames(globalThis),
  reflect: Object.getOwnPropertyNames(Reflect),
  process: process.eventNames().map(String),
  streams: [process.stdout, process.stderr].map((stream) => stream.eventNames().map(String)),
  busy: process.getActiveResourcesInfo().filter((kind) => kind !== 'FSReqPromise' && kind !== 'CloseReq'),
  folder: process.cwd(),
});
void [process.stdout, process.stderr];
const before = state();
let modules = 0;
for (const door of DOORS) modules += Object.keys(await import(door)).length;
const after = state();
console.log(JSON.stringify({ modules, reads, changes: before === after ? [] : [before, after] }));
`;

/** Imports every entry in a process of its own, and returns the settings read and the changes to global state. */
export const importEverything = async (
  folder: string,
): Promise<{ modules: number; reads: string[]; changes: string[] }> => {
  const file = join(folder, 'import-everything.js');
  writeFileSync(file, `const DOORS = ${JSON.stringify(DOORS)};\n${IMPORTER}`);
  return JSON.parse(await runProgram(folder, [file]));
};

const REQUIRER = `
const warnings = [];
process.on('warning', ({ message }) => warnings.push(message));
let modules = 0;
for (const door of DOORS) modules += Object.keys(require(door)).length;
setImmediate(() => console.log(JSON.stringify({ modules, warnings })));
`;

/** Loads every entry by `require`, and returns the warnings of Node.js. */
export const requireEverything = async (
  folder: string,
): Promise<{ modules: number; warnings: readonly string[] }> => {
  const file = join(folder, 'require-everything.cjs');
  writeFileSync(file, `const DOORS = ${JSON.stringify(DOORS)};\n${REQUIRER}`);
  return JSON.parse(await runProgram(folder, [file]));
};

const CHECKED = `
import { createAccounts, createBilling, createFiles, CoreError, createGatehouse, type AccountsPorts, type TriesStore } from 'gatehouse';
import type { Config as SameConfig, Gatehouse, Overrides } from 'gatehouse';
import { compose, type Composition, type OwnParts, type StorePorts } from 'gatehouse/adapters';
import { type Config, readConfig } from 'gatehouse/adapters/config';
import { makeSqliteTriesStore } from 'gatehouse/adapters/sqlite/tries-store';
import { createAccountsClient } from 'gatehouse/client';
import { createHandlers, type Handlers, openServices } from 'gatehouse/servers';
import { triesStoreContract } from 'gatehouse/testing';
import { createIntrospector, createVerifier, VerifyError } from 'gatehouse/verify';

declare const ports: AccountsPorts;
const config: Config = readConfig();
const own: OwnParts = { store: { tries: ports.attempts satisfies StorePorts['attempts'] } };
const composition: Composition = await compose(config, own);
const gatehouse: Gatehouse = await createGatehouse(config satisfies SameConfig, own satisfies Overrides);
const handlers: Handlers = createHandlers(composition, config);
const made: TriesStore = makeSqliteTriesStore(JSON.parse('null'));
const code: string = new CoreError('invalid', 'invalid_request', 'y').code;
const token: string = (await createAccounts(ports).refresh({ refreshToken: '' }, JSON.parse('null'))).token;
triesStoreContract('x', async () => ({ store: made, close: async () => undefined }));
const userId: string = (await createVerifier({ issuer: '', fetch }).verify('')).userId;
const tier: string = (await createIntrospector({ url: '', secret: '', fetch: (url, init) => fetch(url, init) }).introspect('')).tier;
const status: 401 | 403 | 503 = new VerifyError('unavailable', '').status;
// @ts-expect-error: without a secret nothing can be asked.
createIntrospector({ url: '' });
// @ts-expect-error: a name is text.
triesStoreContract(1, async () => ({ store: made, close: async () => undefined }));
// @ts-expect-error: a factory gives a store.
triesStoreContract('x', async () => ({ store: 1, close: async () => undefined }));
export { handlers, gatehouse, code, token, userId, tier, status, createBilling, createFiles, createAccountsClient, openServices };
`;

/** Type-checks a strict program and the checked examples, and returns the output of the compiler. */
export const typeCheck = async (folder: string): Promise<string> => {
  writeFileSync(join(folder, 'checked.ts'), CHECKED);
  const settings = {
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      allowJs: true,
      noEmit: true,
      types: ['node'],
    },
    include: ['checked.ts', 'docs/examples/node-http/*.js', 'docs/examples/own-store/*.js'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const compiler = join(folder, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, '-p', folder], { cwd: folder, encoding: 'utf8' });
    return '';
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
  }
};

export interface Block {
  readonly folder: string;
  readonly file: string;
  /** The output according to the document, if stated. */
  readonly shown: string | undefined;
}

/**
 * Writes the programs of a document into a folder, each under the name in its first line, `// name.js`, so that programs can
 * import each other. A text block right after a program is its output.
 */
export const writeBlocks = (installed: string, document: string): readonly Block[] => {
  const folder = join(installed, basename(document, '.md'));
  mkdirSync(folder);
  const text = readFileSync(join(root, document), 'utf8');
  const found = [...text.matchAll(/^```js\n(\/\/ ([\w.-]+)\n.*?)^```\n(?:\n```text\n(.*?)^```)?/gms)];
  const count = text.match(/^```js$/gm)?.length;
  if (found.length !== count) throw new Error(`${document}: every program has its name in its first line.`);
  return found.map(([, code = '', file = '', shown]) => {
    writeFileSync(join(folder, file), code);
    return { folder, file, shown };
  });
};
