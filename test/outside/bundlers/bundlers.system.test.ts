import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type } from '../../embedding/installed.ts';
import { type App, linesBelow, makeApp } from './app.ts';
import { useBundles } from './programs.ts';

/** The line that builds the app, without the line that starts it. */
const buildLine = (heading: string): string => linesBelow(heading).split('\n')[0] ?? '';
const startedBy = (heading: string): string => linesBelow(heading).replace(/[\s\S]*\nnode /, '');

describe('A bundled app', function () {
  // npm packs and installs, which takes long on a slow disk.
  this.timeout(600_000);
  const { serve, refuse } = useBundles();
  let app: App;
  before(async () => {
    app = await makeApp([], ['esbuild', 'vite']);
  });
  after(() => app?.remove());

  it('fails at the start with the packages to mark as external, if the bundle contains Gatehouse', async () => {
    const whole = buildLine('esbuild').replace(' --external:gatehouse', ' --log-level=error');
    for (const line of [whole, whole.replace('=esm', '=cjs').replace('.mjs', '.cjs')]) {
      await type(line, app.folder);
      const file = / --outfile=(\S+)/.exec(line)?.[1] ?? '';
      const { code, said, out } = await refuse(app.folder, [file]);
      expect(code).to.equal(78);
      expect(said).to.have.length(1);
      expect(said[0]).to.include(join(app.folder, file));
      for (const way of ['--external:gatehouse', "serverExternalPackages: ['gatehouse']", 'ssr.external'])
        expect(said[0]).to.include(way);
      expect(out).to.equal('');
      expect(existsSync(join(app.folder, 'data'))).to.equal(false);
    }
  });

  it('runs when esbuild has built it as ES modules and as CommonJS', async () => {
    await type(buildLine('esbuild'), app.folder);
    await (await serve(app.folder, [startedBy('esbuild')]))('/api/auth/register');
    await type(buildLine('esbuild').replace('=esm', '=cjs').replace('.mjs', '.cjs'), app.folder);
    const started = startedBy('esbuild').replace('.mjs', '.cjs');
    await (await serve(app.folder, [started], { DATA_DIR: 'data-of-commonjs' }))('/api/auth/register');
  });

  it('runs when Vite has built it', async () => {
    await type(buildLine('Vite'), app.folder);
    await (await serve(app.folder, [startedBy('Vite')], { DATA_DIR: 'data-of-vite' }))('/api/auth/register');
  });

  it('runs in an image', async () => {
    const { folder, args } = await app.build('Docker images');
    await (await serve(folder, args))('/api/auth/register');
  });
});
