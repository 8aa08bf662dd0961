import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { unpackTo } from '../embedding/installed.ts';
import { readManifest } from '../embedding/packages.ts';
import { neededBy } from '../embedding/weight.ts';
import { ROUNDS } from '../support/rounds.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/root.ts';

const run = promisify(execFile);

const outside = process.env.GATEHOUSE_TEST_OUTSIDE ?? '';

/** The module resolution that each run checks; `npm run test:long` checks all pairs. */
const COMPILERS: Readonly<Record<string, readonly string[]>> = {
  'typescript-5.5': ['nodenext'],
  'typescript-5.9': [],
  'typescript-6': ['bundler'],
  typescript: ['nodenext', 'bundler'],
};

const WAYS = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

const SETTINGS = {
  target: 'es2022',
  lib: ['es2023'],
  strict: true,
  skipLibCheck: false,
  noEmit: true,
  // A package of a monorepo is compiled with declarations.
  declaration: true,
  types: ['node'],
};

/** An app without the types of browsers and of Node.js. */
const CLIENT = `
import { createAccountsClient, createMetadataClient, type AccountsClient } from 'gatehouse/client';
const client: AccountsClient = createAccountsClient({ baseUrl: 'http://localhost:3000' });
const me = await client.GET('/api/auth/me');
const id: string | undefined = me.data?.user.id;
const status: number = me.response.status;
const code: string | undefined = me.error?.code;
const { data } = await client.POST('/api/auth/login', { body: { email: 'a', password: 'b' } });
const token: string | undefined = data && 'token' in data ? data.token : undefined;
// @ts-expect-error: a body is needed
await client.POST('/api/auth/login');
// @ts-expect-error: an email is text
await client.POST('/api/auth/login', { body: { email: 1, password: 'b' } });
// @ts-expect-error: there is no such path
await client.GET('/api/nothing');
// @ts-expect-error: there is no such member
me.data?.user.nothing;
const picture = await client.GET('/api/avatar', { parseAs: 'blob' });
const size: number | undefined = picture.data?.size;
const meta = createMetadataClient({ baseUrl: 'http://localhost:3001', secret: 'x' });
// @ts-expect-error: a path's parameter is needed
await meta.GET('/api/v1/meta/{fileId}');
await meta.GET('/api/v1/meta/{fileId}', { params: { path: { fileId: 'x' } } });
const list = await meta.GET('/api/v1/meta', { params: { query: { userId: 'u' } }, parseAs: 'stream' });
const stream: object | null | undefined = list.data;
export const readMe = () => client.GET('/api/auth/me');
export const { GET } = client;
export { id, status, code, token, size, stream };
`;

describe('The types in an app that installs only the package', function () {
  this.timeout(600_000);
  const folder = useTempFolder('suite');
  const packages = () => join(folder(), 'node_modules');

  /** Every import path that an app may use, with patterns expanded. */
  const doors = (): readonly string[] => {
    const { exports }: { exports: object } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const filesIn = (pattern: string) =>
      readdirSync(join(packages(), 'gatehouse/dist', pattern), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.d.ts'))
        .map((file) => `./${pattern}/${file.slice(0, -'.d.ts'.length)}`);
    return Object.keys(exports)
      .filter((name) => !name.endsWith('.json'))
      .flatMap((name) => (name.endsWith('/*') ? filesIn(name.slice('./'.length, -'/*'.length)) : [name]))
      .map((name) => `gatehouse${name.slice(1)}`);
  };

  before(async () => {
    await unpackTo(join(packages(), 'gatehouse'));
    // Copied: a compiler that follows a link finds packages beside its target, such as the types of Koa.
    const needed = [...neededBy(Object.keys(readManifest(root).dependencies ?? {}))];
    execFileSync('cp', ['-a', '--parents', ...needed, folder()], { cwd: root });
    const imports = doors().map(
      (door, at) => `import type * as m${at} from '${door}';\nexport type { m${at} };`,
    );
    writeFileSync(join(folder(), 'doors.ts'), imports.join('\n'));
    writeFileSync(join(folder(), 'package.json'), '{"private":true,"type":"module"}');
  });

  it('are checked without the types of optional packages', () => {
    expect(doors()).to.have.length.above(230);
    for (const name of ['@types/koa', '@opentelemetry', 'prom-client', '@aws-sdk'])
      expect(existsSync(join(packages(), name)), name).to.equal(false);
  });

  const compile = (compiler: string, project: string, settings: object, file: string): Promise<string> => {
    const path = join(folder(), project);
    writeFileSync(path, JSON.stringify({ compilerOptions: { ...SETTINGS, ...settings }, files: [file] }));
    const program = join(outside, 'node_modules', compiler, 'bin/tsc');
    return run(process.execPath, [program, '-p', path], { cwd: folder() }).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    );
  };

  for (const compiler of ['typescript-5.5', 'typescript']) {
    it(`of the client compile with ${compiler} without the types of browsers and of Node.js`, async () => {
      writeFileSync(join(folder(), 'client.ts'), CLIENT);
      const settings = { ...WAYS.bundler, types: [] };
      expect(await compile(compiler, `client-${compiler}.json`, settings, 'client.ts')).to.equal('');
    });
  }

  for (const [compiler, ways] of Object.entries(COMPILERS)) {
    for (const [way, settings] of Object.entries(WAYS)) {
      if (!ways.includes(way) && ROUNDS <= 2) continue;
      it(`compile with ${compiler}, ${way}`, async () => {
        expect(await compile(compiler, `tsconfig-${compiler}-${way}.json`, settings, 'doors.ts')).to.equal(
          '',
        );
      });
    }
  }
});
