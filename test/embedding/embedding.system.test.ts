import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../support/free-port.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/root.ts';
import { until } from '../support/until.ts';
import { useExamples } from './example.ts';
import {
  exampleLines,
  examples,
  type Installed,
  installPacked,
  isAtHome,
  type,
  unpackTo,
} from './installed.ts';
import { readManifest, wantedBy } from './packages.ts';
import { FAST_SETTINGS, runProgram, startProgram } from './programs.ts';
import { importEverything, requireEverything, typeCheck, writeBlocks } from './uses.ts';

const PASSWORD = 'correct horse battery';

const EXAMPLE_ADAPTER = 'docs/examples/own-store';

describe('The installed package', function () {
  // npm packs and installs, which takes long on a slow disk.
  this.timeout(600_000);
  let installed: Installed;
  const inside = (...parts: string[]) => join(installed.folder, ...parts);
  before(async () => {
    installed = await installPacked();
  });
  after(() => installed?.remove());

  it('contains what running, embedding and testing an adapter need, and nothing else', () => {
    const wanted = [
      /^(?:package\.json|README\.md|CHANGELOG\.md|SECURITY\.md|docs\/.+|cli\/[a-z-]+\.mjs)$/,
      // Includes data files beside the modules, such as lists of words.
      /^dist\/(?:core|adapters|servers)\/.+(?<!\.map|(?<!\.d)\.ts)$/,
      /^dist\/cli\/(?!build\/).+\.js$/,
      /^dist\/test\/contracts\/(?!mov)[a-z-]+\.(?:js|d\.ts)$/,
      /^dist\/test\/support\/(?:read-mail|recording-log|spellings)\.(?:js|d\.ts)$/,
    ];
    // Files that duplicate others or are about the repository.
    const unwanted = /-joined|openapi-\w+\.json|^docs\/(?:decisions\/|architecture|debugging|glossary|map)/;
    const odd = installed.files.filter(
      (path) => !wanted.some((pattern) => pattern.test(path)) || unwanted.test(path),
    );
    expect(odd).to.deep.equal([]);
    expect(installed.files).to.include.members([
      'dist/core/index.d.ts',
      'dist/servers/all.js',
      'dist/test/contracts/index.js',
      'docs/embedding.md',
    ]);
  });

  it('is installed without a script', () => {
    const { scripts } = JSON.parse(readFileSync(inside('node_modules/gatehouse/package.json'), 'utf8'));
    expect(scripts).not.to.have.any.keys('preinstall', 'install', 'postinstall', 'prepare');
  });

  it('runs its command line', async () => {
    const bin = inside('node_modules/.bin/gatehouse');
    expect(await runProgram(installed.folder, [bin, '--help'])).to.match(/^Usage: gatehouse /);
  });

  it('serves both services from its installation folder', async () => {
    const ports = { ACCOUNTS_PORT: '0', METADATA_PORT: '0', DATA_DIR: inside('data-of-services') };
    const main = inside('node_modules/gatehouse/dist/servers/all.js');
    const program = startProgram(installed.folder, [main], ports);
    try {
      await until(() => program.err().includes('Next, sign up') || program.child.exitCode !== null);
      const [, accounts = ''] = /^Accounts +(http:\S+)/m.exec(program.err()) ?? [];
      const response = await fetch(`${accounts}/api/auth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
      });
      expect(response.status).to.equal(201);
    } finally {
      program.child.kill('SIGTERM');
      expect(await program.ended).to.equal(0);
    }
  });

  it('has no side effect on import and reads no setting', async () => {
    const { modules, reads, changes } = await importEverything(installed.folder);
    expect(modules).to.be.greaterThan(5);
    expect(reads).to.deep.equal([]);
    expect(changes).to.deep.equal([]);
    expect(await requireEverything(installed.folder)).to.deep.equal({ modules, warnings: [] });
  });

  it('has top-level await, which `require` does not support, only in the programs of the servers', () => {
    const programs = ['accounts', 'all', 'metadata'].map((name) => `dist/servers/${name}.js`);
    const waiting = installed.files.filter(
      (path) =>
        path.startsWith('dist/') &&
        path.endsWith('.js') &&
        /^(?:(?:export )?(?:const|let) [^=]+ = )?(?:for )?await\b/m.test(
          readFileSync(inside('node_modules/gatehouse', path), 'utf8'),
        ),
    );
    expect(waiting).to.have.members(programs);
  });

  it('has types against which a strict program and the examples compile', async () => {
    expect(await typeCheck(installed.folder)).to.equal('');
  });

  it('documents every call of its API, without `any` or `ReturnType` in its types', () => {
    const files = installed.files.filter((path) =>
      /^dist\/core\/\w+\/(?:api(?:\/[a-z-]+)?|admin\/admin)\.d\.ts$/.test(path),
    );
    const texts = files.map((path) => readFileSync(inside('node_modules/gatehouse', path), 'utf8'));
    const bodies = texts
      .flatMap((text) => [...text.matchAll(/^export interface \w+[^{]*\{\n([\s\S]*?)^\}/gm)])
      .map(([, body = '']) => body)
      // Skips interfaces of data, which have no calls.
      .filter((body) => /^ {4}(?:\w+\(|readonly \w+: [A-Z])/m.test(body));
    const calls = bodies.flatMap((body) => [
      ...body.matchAll(/((?:^ {4}(?:\/\*\*| \*).*\n)*)^ {4}(?:readonly )?(\w+)[(:]/gm),
    ]);
    expect(calls).to.have.length.above(100);
    for (const [, comment = '', call] of calls) expect(comment.length, call).to.be.above(20);
    for (const body of bodies) expect(body).not.to.match(/ReturnType<|: any\b/);
  });

  describe('an example', () => {
    const serve = useExamples(inside);

    it('imports only packages that its package.json names', () => {
      const outside = wantedBy(readManifest(join(root, 'test/outside')));
      for (const name of examples) {
        const there = isAtHome(name) ? readManifest(root).devDependencies : outside;
        for (const [one, range] of Object.entries(
          wantedBy(readManifest(join(root, 'docs/examples', name))),
        )) {
          if (one !== 'gatehouse') expect(there, name).to.have.property(one, range);
          else expect(range).to.equal(`file:../../../gatehouse-${readManifest(root).version}.tgz`);
        }
      }
    });

    it('mounts the account service beside the routes of a bare server, and ends with code 0', async () => {
      const { ask, journey, end } = await serve('node-http');
      expect((await ask('GET', '/hello')).status).to.equal(401);
      expect((await ask('GET', '/no-such')).text).to.equal('');
      await journey();
      await end();
    });

    it('mounts both services in an Express app, which deletes the data of a deleted user', async () => {
      const { ask, journey, end } = await serve('express');
      const token = await journey();
      expect((await ask('POST', '/notes', { text: 'mine' }, token)).status).to.equal(201);
      expect((await ask('GET', '/notes', undefined, token)).text).to.equal('["mine"]');
      const refused = await ask('POST', '/notes', { text: 'x' });
      expect([refused.status, JSON.parse(refused.text).code]).to.deep.equal([401, 'invalid_token']);
      expect((await ask('GET', '/api/v1/meta/none')).status).to.equal(401);
      expect((await ask('GET', '/no-such')).text).to.include('Cannot GET');
      await end();
    });

    it('passes the published suite with its own store adapter, and runs on it', async () => {
      const folder = inside('docs/examples/own-store');
      const [, test = '', start = ''] = exampleLines(folder);
      expect((await type(`${test} -- --reporter dot`, folder)).stdout).to.match(/^ {2}14 passing/m);
      expect((await type(start, folder, FAST_SETTINGS)).stdout).to.match(
        /\nRefused: wrong_credentials\nRefused: wrong_credentials\nWrong attempts in attempts\.json: 2\nLogged in as ada@example\.com\n$/,
      );
    });
  });

  it('shows the unchanged test of the example adapter', () => {
    const text = readFileSync(join(root, 'docs/writing-an-adapter.md'), 'utf8');
    const program = readFileSync(join(root, EXAMPLE_ADAPTER, 'json-attempts.test.js'), 'utf8');
    expect(text).to.include(
      `\`\`\`js\n// json-attempts.test.js\n${program.replace('// @ts-check\n', '')}\`\`\`\n`,
    );
  });

  it('opens files without accounts', async () => {
    cpSync(join(root, 'docs/examples/files-alone'), inside('files-alone'), { recursive: true });
    expect(await runProgram(inside('files-alone'), ['files-alone.js'])).to.equal('12 1\n');
  });

  it('answers in the README program', async () => {
    const [block] = writeBlocks(installed.folder, 'README.md');
    const port = await freePort();
    const program = startProgram(block?.folder ?? '', [block?.file ?? ''], { ACCOUNTS_PORT: `${port}` });
    const status = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
      return response?.status;
    };
    try {
      await until(async () => program.child.exitCode !== null || (await status()) === 200);
      expect(program.child.exitCode, program.err()).to.equal(null);
    } finally {
      program.child.kill();
      await program.ended;
    }
  });

  for (const document of ['docs/embedding.md', 'docs/writing-an-adapter.md']) {
    it(`runs each block of ${document} with the result shown`, async () => {
      const blocks = writeBlocks(installed.folder, document);
      expect(blocks).not.to.be.empty;
      // The test of the example runs the suite that these blocks show.
      const programs = blocks.filter(({ file }) => !file.endsWith('.test.js'));
      // Programs import the adapter by its name in the example.
      for (const { folder } of programs)
        cpSync(join(root, EXAMPLE_ADAPTER, 'json-attempts.js'), join(folder, 'json-attempts.js'));
      await Promise.all(
        programs.map(async ({ folder, file, shown = '' }) => {
          expect(await runProgram(folder, [file]), file).to.equal(shown);
        }),
      );
    });
  }
});

describe('The package without the packages that it needs', () => {
  const folder = useTempFolder('suite');
  before(() => unpackTo(join(folder(), 'node_modules/gatehouse')));

  it('has the whole core, and looks for an adapter only when `createGatehouse` is called', async () => {
    writeFileSync(
      join(folder(), 'core-alone.mjs'),
      `import { createAccounts, createGatehouse } from 'gatehouse';
      import { readConfig } from 'gatehouse/adapters/config';
      const failure = await createGatehouse(readConfig({}, '.')).catch(({ code }) => code);
      console.log(typeof createAccounts, failure);`,
    );
    expect(await runProgram(folder(), ['core-alone.mjs'])).to.match(/^function (?:ERR_)?MODULE_NOT_FOUND\n$/);
  });
});
