import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { shown, type } from '../embedding/installed.ts';
import { readManifest } from '../embedding/packages.ts';
import { neededBy } from '../embedding/weight.ts';
import { ROUNDS } from '../support/rounds.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/root.ts';

const run = promisify(execFile);

const outside = process.env.GATEHOUSE_TEST_OUTSIDE ?? '';

/** In which way each is tried at each run; `npm run test:long` tries all in both. */
const COMPILERS = {
  'typescript-5.5': ['nodenext'],
  'typescript-5.9': ['bundler'],
  'typescript-6': ['nodenext'],
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
  types: ['node'],
};

describe('The types of an app that has the package, and of packages only those that come with it', function () {
  this.timeout(300_000);
  const folder = useTempFolder('suite');
  const packages = () => join(folder(), 'node_modules');

  /** Every name by which an app may import something, patterns written out. */
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
    const { stdout } = await type(shown().pack, root, { npm_config_pack_destination: folder() });
    mkdirSync(packages());
    execFileSync('tar', ['-xzf', join(folder(), stdout.trim().split('\n').at(-1) ?? ''), '-C', packages()]);
    execFileSync('mv', [join(packages(), 'package'), join(packages(), 'gatehouse')]);
    // Copied: a compiler that follows a link finds what lies beside its target, such as types of Koa.
    const needed = [...neededBy(Object.keys(readManifest(root).dependencies ?? {}))];
    execFileSync('cp', ['-a', '--parents', ...needed, folder()], { cwd: root });
    const imports = doors().map(
      (door, at) => `import type * as m${at} from '${door}';\nexport type { m${at} };`,
    );
    writeFileSync(join(folder(), 'doors.ts'), imports.join('\n'));
    writeFileSync(join(folder(), 'package.json'), '{"private":true,"type":"module"}');
  });

  it('are tried without the types of packages that an app need not have', () => {
    expect(doors()).to.have.length.above(400);
    for (const name of ['@types/koa', '@opentelemetry', 'prom-client', '@aws-sdk'])
      expect(existsSync(join(packages(), name)), name).to.equal(false);
  });

  for (const [compiler, ways] of Object.entries(COMPILERS)) {
    for (const [way, settings] of Object.entries(WAYS)) {
      if (!ways.includes(way) && ROUNDS <= 2) continue;
      it(`are whole for ${compiler}, ${way}`, async () => {
        const project = join(folder(), `tsconfig-${compiler}-${way}.json`);
        const compilerOptions = { ...SETTINGS, ...settings };
        writeFileSync(project, JSON.stringify({ compilerOptions, files: ['doors.ts'] }));
        const program = join(outside, 'node_modules', compiler, 'bin/tsc');
        const said = await run(process.execPath, [program, '-p', project], { cwd: folder() }).then(
          ({ stdout }) => stdout,
          ({ stdout, stderr }) => `${stdout}${stderr}`,
        );
        expect(said).to.equal('');
      });
    }
  }
});
