import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ourKeySet, withClaims } from '../../adapters/jwt/forged-tokens.ts';
import { linkProduct } from '../../embedding/packages.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

const run = promisify(execFile);

/** A program on a runtime with the globals of browsers, and of Node.js only `console`. */
const ELSEWHERE = `
const { log } = console;
for (const name of ['process', 'Buffer', 'global', 'require', 'setImmediate', 'clearImmediate']) delete globalThis[name];
const { createVerifier } = await import('./verify.js');
const { keys, issuer, token } = JSON.parse(GIVEN);
// A response made by Node.js would need Buffer.
const answer = { status: 200, json: async () => ({ keys }) };
const { verify } = createVerifier({ issuer, fetch: async () => answer });
log((await verify(token)).userId);
log(await verify(token + 'AAAA').catch(({ code }) => code));
`;

/** Declarations for compilers without the types of Node.js and of browsers. */
const TYPED = `
import { createIntrospector, createVerifier, VerifyError, type Verifier } from 'gatehouse/verify';
const verifier: Verifier = createVerifier({ issuer: 'https://accounts.example.com' });
const owner: string = (await verifier.verify('')).userId;
const tier: string = (await createIntrospector({ url: '', secret: '' }).introspect('')).tier;
const answer: Readonly<Record<string, string>> = new VerifyError('unavailable', '').headers;
export { answer, owner, tier };
`;

describe('The verifier in an app', () => {
  const folder = useTempFolder();
  const outside = (name: string) => join(process.env.GATEHOUSE_TEST_OUTSIDE ?? '', 'node_modules', name);

  const document = readFileSync(join(root, 'docs/verifying.md'), 'utf8');
  const [, shown = ''] = /^npx (esbuild .+)$/m.exec(document) ?? [];

  /** Bundles it with its dependencies by the command in the document, or with further options. */
  const bundle = async (...options: string[]) => {
    const [program = '', ...words] = shown.replace('--outfile=', `--outfile=${folder()}/`).split(' ');
    const meta = join(folder(), 'meta.json');
    await run(outside(`.bin/${program}`), [...words, `--metafile=${meta}`, ...options], { cwd: root });
    const { inputs } = JSON.parse(readFileSync(meta, 'utf8'));
    return { size: readFileSync(join(folder(), 'verify.js')).length, files: Object.keys(inputs) };
  };

  it('has the size stated in verifying.md, and needs no package but jose', async () => {
    const [, ours, all] = /(\d+) kB, and (\d+) kB with jose/.exec(document) ?? [];
    const alone = await bundle('--packages=external');
    expect(alone.size).to.be.below(10_000);
    expect(Math.round(alone.size / 1_000)).to.equal(Number(ours));
    const whole = await bundle();
    expect(Math.round(whole.size / 1_000)).to.equal(Number(all));
    const others = whole.files.filter(
      (file) => !/^(?:dist\/servers\/verify\/|dist\/core\/access-token\.js$|node_modules\/jose\/)/.test(file),
    );
    expect(others).to.deep.equal([]);
  });

  it('runs without the globals of Node.js', async () => {
    await bundle();
    const token = withClaims({ exp: Date.UTC(2100, 0, 1) / 1_000 });
    const keys = ourKeySet.keys.map(({ kty, crv, x, y, kid }) => ({ kty, crv, x, y, kid }));
    const given = JSON.stringify(JSON.stringify({ keys, issuer: 'https://drop.test', token }));
    const file = join(folder(), 'elsewhere.mjs');
    writeFileSync(
      file,
      ELSEWHERE.replace('GIVEN', () => given),
    );
    expect((await run(process.execPath, [file])).stdout).to.equal('user-1\ninvalid_token\n');
  });

  for (const compiler of ['typescript-5.5', 'typescript']) {
    it(`compiles with ${compiler} without the types of Node.js and of browsers`, async () => {
      linkProduct(folder());
      writeFileSync(join(folder(), 'package.json'), '{"type":"module"}');
      writeFileSync(join(folder(), 'typed.ts'), TYPED);
      const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };
      const bare = { module: 'nodenext', target: 'es2022', lib: ['es2022'], types: [] };
      writeFileSync(
        join(folder(), 'tsconfig.json'),
        JSON.stringify({ compilerOptions: { ...strict, ...bare }, files: ['typed.ts'] }),
      );
      const tsc = outside(`${compiler}/bin/tsc`);
      const { stdout } = await run(process.execPath, [tsc], { cwd: folder() }).catch((error) => error);
      expect(stdout).to.equal('');
    });
  }
});
