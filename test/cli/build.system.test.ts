import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { useTempFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/root.ts';

describe('The launcher', () => {
  const folder = useTempFolder();
  const inside = (...parts: string[]) => join(folder(), ...parts);

  const put = (path: string, text: string) => {
    mkdirSync(join(inside(path), '..'), { recursive: true });
    writeFileSync(inside(path), text);
  };
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, args, { cwd: folder() });
    const result = { code: null as number | null, out: '', err: '' };
    child.stdout.on('data', (chunk) => {
      result.out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      result.err += chunk;
    });
    const done = new Promise<typeof result>((resolve) => {
      child.once('close', (code) => resolve({ ...result, code }));
    });
    return { child, done };
  };
  const launch = (...args: string[]) => start('cli/launch.mjs', 'servers/all', ...args).done;

  beforeEach(() => {
    for (const path of ['cli', 'package.json', 'tsconfig.json']) {
      cpSync(join(root, path), inside(path), { recursive: true, filter: (file) => !file.endsWith('.ts') });
    }
    symlinkSync(join(root, 'node_modules'), inside('node_modules'));
    put('core/index.ts', "export const greeting: string = 'hello';\n");
    put(
      'servers/all.ts',
      "import { greeting } from '../core/index.ts';\nconsole.log(greeting, ...process.argv.slice(2));\n",
    );
  });

  it('builds once, then runs the program with its own arguments', async () => {
    const first = await launch('--loud');
    expect(first).to.deep.equal({ code: 0, out: 'hello --loud\n', err: 'Building dist/ …\n' });
    const second = await launch();
    expect(second).to.deep.equal({ code: 0, out: 'hello\n', err: '' });
  });

  it('builds again after a change, even if the changed file has an older time', async () => {
    await launch();
    put('core/index.ts', "export const greeting: string = 'good morning';\n");
    utimesSync(inside('core/index.ts'), 1_000_000, 1_000_000);
    expect((await launch()).out).to.equal('good morning\n');
  });

  it('builds again if an output is missing', async () => {
    await launch();
    rmSync(inside('dist/core/index.js'));
    expect(await launch()).to.include({ code: 0, out: 'hello\n' });
  });

  it('copies files that are not TypeScript and removes the output of deleted sources', async () => {
    put('core/words/list.txt', 'one\ntwo\n');
    put('core/words/gone.ts', 'export const gone = 1;\n');
    await launch();
    expect(readFileSync(inside('dist/core/words/list.txt'), 'utf8')).to.equal('one\ntwo\n');
    expect(existsSync(inside('dist/core/words/gone.js'))).to.equal(true);
    rmSync(inside('core/words'), { recursive: true });
    await launch();
    expect(existsSync(inside('dist/core/words'))).to.equal(false);
    expect(existsSync(inside('dist/core/index.js'))).to.equal(true);
  });

  it('bundles the modules of an entry and keeps the `import.meta.url` of each', async () => {
    put('core/place.ts', 'export const place = (): string => import.meta.url;\n');
    put('servers/run/late.ts', "export { place } from '../../core/place.ts';\n");
    put(
      'servers/run/start-and-end-services.ts',
      "import { greeting } from '../../core/index.ts';\nimport { place } from './late.ts';\n" +
        'console.log(greeting, place());\n',
    );
    put(
      'servers/all.ts',
      "await import(new URL('run/start-and-end-services-joined.js', import.meta.url).href);\n",
    );
    await launch();
    rmSync(inside('dist/core/place.js'));
    rmSync(inside('dist/servers/run/late.js'));
    const { out } = await start('dist/servers/all.js').done;
    expect(out).to.equal(`hello ${pathToFileURL(realpathSync(inside('dist')))}/core/place.js\n`);
    const map = JSON.parse(
      readFileSync(inside('dist/servers/run/start-and-end-services-joined.js.map'), 'utf8'),
    );
    expect(map.sources).to.have.members([
      '../../../core/index.ts',
      '../../../core/place.ts',
      '../../../servers/run/start-and-end-services.ts',
    ]);
  });

  for (const entry of ['servers/run/start-and-end-services-joined.js', 'cli/main-joined.js']) {
    it(`builds ${entry} without static imports of relative modules`, () => {
      const text = readFileSync(join(root, 'dist', entry), 'utf8');
      expect(text).not.to.match(/^(?:import|export)\b.*['"]\.{1,2}\//m);
    });

    it(`builds ${entry} with static imports of the package's dependencies only`, () => {
      const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
        readFileSync(join(root, 'package.json'), 'utf8'),
      );
      const text = readFileSync(join(root, 'dist', entry), 'utf8');
      const packages = [...text.matchAll(/^import\b.*["']((?:@[\w.-]+\/)?[\w.-]+)(?:\/.*)?["'];$/gm)].map(
        ([, name = '']) => name,
      );
      expect(packages.filter((name) => !Object.hasOwn(dependencies, name))).to.deep.equal([]);
    });
  }

  it('builds again if a bundle is missing', async () => {
    put('servers/run/start-and-end-services.ts', "export { greeting } from '../../core/index.ts';\n");
    await launch();
    rmSync(inside('dist/servers/run/start-and-end-services-joined.js'));
    expect((await launch()).err).to.contain('Building');
    expect(readFileSync(inside('dist/servers/run/start-and-end-services-joined.js'), 'utf8')).to.match(
      /greeting = ["']hello["']/,
    );
    expect((await launch()).err).to.equal('');
  });

  it('builds once for many parallel starts', async () => {
    const results = await Promise.all(Array.from({ length: 6 }, () => launch()));
    expect(results.map((result) => result.out)).to.deep.equal(Array(6).fill('hello\n'));
    expect(results.filter((result) => result.err.includes('Building'))).to.have.length(1);
  });

  it('builds again after a build was killed', async () => {
    const killed = start('cli/build/build.mjs', '--force');
    while (!existsSync(inside('dist/.lock'))) await pause(2);
    killed.child.kill('SIGKILL');
    await killed.done;
    expect(await launch()).to.include({ code: 0, out: 'hello\n' });
  });

  it('fails with the errors of the compiler, and builds again at the next start', async () => {
    put('core/index.ts', 'export const greeting: string = 1;\n');
    const failed = await launch();
    expect(failed).to.include({ code: 1, out: '' });
    expect(failed.err).to.contain('core/index.ts(1,14)');
    put('core/index.ts', "export const greeting: string = 'fixed';\n");
    expect((await launch()).out).to.equal('fixed\n');
  });

  describe('without the compiler', () => {
    beforeEach(() => {
      rmSync(inside('node_modules'));
      mkdirSync(inside('node_modules'));
      symlinkSync(join(root, 'node_modules/libsql'), inside('node_modules/libsql'));
    });

    it('runs an existing dist/ without building', async () => {
      put('dist/servers/all.js', "console.log('as shipped');\n");
      expect(await launch()).to.deep.equal({ code: 0, out: 'as shipped\n', err: '' });
    });

    it('exits with 78 and names the commands to run if dist/ is missing', async () => {
      const line = 'Gatehouse is not built here: run "npm ci" and "npm run build" first.\n';
      expect(await launch()).to.deep.equal({ code: 78, out: '', err: line });
      expect(await start('cli/gatehouse.mjs').done).to.deep.equal({ code: 78, out: '', err: line });
    });
  });

  describe('in a package that an app installed', () => {
    const incomplete =
      /^(?:Cannot find .*\. )?The package in \/.* is incomplete: install gatehouse again\.\n$/;
    beforeEach(() => {
      for (const path of ['core', 'servers']) rmSync(inside(path), { recursive: true });
    });

    it('exits with 78 and reports an incomplete package if dist/ is missing', async () => {
      for (const args of [['cli/gatehouse.mjs'], ['cli/launch.mjs', 'servers/all']]) {
        const { code, err } = await start(...args).done;
        expect(code).to.equal(78);
        expect(err).to.match(incomplete);
      }
    });

    it('exits with 78 and names a module that is missing', async () => {
      for (const text of ["import 'no-such-package';", "import './no-such-file.js';"]) {
        put('dist/cli/main.js', text);
        const { code, err } = await start('cli/gatehouse.mjs').done;
        expect(code).to.equal(78);
        expect(err).to.match(incomplete).and.include('no-such-');
      }
    });

    it('exits with 78 instead of building', async () => {
      put('dist/servers/all.js', '');
      const { code, err } = await start('cli/build/build.mjs', '--force').done;
      expect([code, err]).to.deep.equal([
        78,
        'This package was installed without its sources: there is nothing to build.\n',
      ]);
    });
  });

  it('exits with 2 and names the programs if another program is given', async () => {
    const { code, err } = await start('cli/launch.mjs', '../package').done;
    expect(code).to.equal(2);
    expect(err).to.match(/^Usage: .*servers\/all/);
  });
});
