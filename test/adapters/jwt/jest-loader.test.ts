import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);

const adapter = join(dirname(fileURLToPath(import.meta.url)), '../../../adapters/jwt/access-tokens.js');

/** Loads the adapter by `vm.SourceTextModule`, as Jest does. */
const PROGRAM = `
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { SourceTextModule, SyntheticModule } from 'node:vm';

const ofNode = async (name) => {
  const entries = Object.entries(await import(name));
  return new SyntheticModule(entries.map(([key]) => key), function () {
    for (const entry of entries) this.setExport(...entry);
  });
};
const ofFile = async (identifier) => {
  const importModuleDynamically = (name) => evaluate(name, identifier);
  return new SourceTextModule(await readFile(identifier, 'utf8'), { identifier, importModuleDynamically });
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

describe('Access tokens in a test that Jest runs', () => {
  it('are issued and verified', async () => {
    const flags = ['--experimental-vm-modules', '--no-warnings', '--input-type=module'];
    const { stdout } = await run(process.execPath, [...flags, '--eval', PROGRAM, adapter]);
    expect(stdout).to.equal('ada\n');
  });
});
