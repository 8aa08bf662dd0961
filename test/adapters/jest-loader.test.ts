import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);

const adapters = join(dirname(fileURLToPath(import.meta.url)), '../../adapters');

/** Loads modules by `vm.SourceTextModule` in a context with an `Error` of its own, as Jest does. */
const LOADER = `
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createContext, SourceTextModule, SyntheticModule } from 'node:vm';

const { ArrayBuffer, atob, btoa, Buffer, CryptoKey, crypto, process, structuredClone, Uint8Array } = globalThis;
const shared = { ArrayBuffer, atob, btoa, Buffer, CryptoKey, crypto, process, structuredClone, Uint8Array };
Object.assign(shared, { TextDecoder, TextEncoder, URL });
const context = createContext(shared);

const ofNode = async (name) => {
  const entries = Object.entries(await import(name));
  const setExports = function () {
    for (const entry of entries) this.setExport(...entry);
  };
  return new SyntheticModule(entries.map(([key]) => key), setExports, { context });
};
const ofFile = async (identifier) => {
  const importModuleDynamically = (name) => evaluate(name, identifier);
  return new SourceTextModule(await readFile(identifier, 'utf8'), { identifier, importModuleDynamically, context });
};
const modules = new Map();
const load = (name, from) => {
  const file = createRequire(from).resolve(name);
  if (!modules.has(file)) modules.set(file, file.startsWith('node:') ? ofNode(file) : ofFile(file));
  return modules.get(file);
};
const evaluate = async (name, from) => {
  const module = await load(name, from);
  if (module.status === 'unlinked') await module.link((other, { identifier }) => load(other, identifier));
  await module.evaluate();
  return module;
};
const { namespace } = await evaluate(process.argv[1], process.argv[1]);
`;

/** Loads the module of a file, and runs a program with its `namespace`. */
const runWith = async (file: string, program: string): Promise<string> => {
  const flags = ['--experimental-vm-modules', '--no-warnings', '--input-type=module'];
  const { stdout } = await run(process.execPath, [
    ...flags,
    '--eval',
    LOADER + program,
    join(adapters, file),
  ]);
  return stdout.trim();
};

const ISSUE_AND_VERIFY = `
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
const key = { kid: 'key-1', ...(await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) };
const tokens = namespace.makeAccessTokens({
  keys: { current: () => key, find: () => key },
  issuer: 'https://accounts.example.com',
  audience: 'gatehouse',
});
const now = Date.now();
const token = await tokens.issue({ userId: 'ada', sessionId: 'session-1', tokenId: 'token-1' }, now, 60);
console.log((await tokens.verify(token, now)).userId);
`;

describe('In a test that Jest runs', () => {
  it('access tokens are issued and verified', async () => {
    expect(await runWith('jwt/access-tokens.js', ISSUE_AND_VERIFY)).to.equal('ada');
  });

  it('a missing file counts as missing, also the `.env`', async () => {
    expect(await runWith('data-dir.js', "console.log(namespace.statIfThere('/no/such/file'))")).to.equal(
      'undefined',
    );
    const missing = "namespace.unlessAbsent(readFile('/no/such/file'))";
    expect(await runWith('files/atomic-write.js', `console.log(await ${missing})`)).to.equal('undefined');
    const read = "console.log(namespace.readEnvironment({}, '/no/such/folder', []).problems.length)";
    expect(await runWith('config/environment.js', read)).to.equal('0');
  });
});
