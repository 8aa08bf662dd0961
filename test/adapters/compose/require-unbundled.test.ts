import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { type Plugin, rolldown } from 'rolldown';
import { requireUnbundled } from '../../../adapters/compose/require-unbundled.ts';
import { ConfigError } from '../../../adapters/config.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

describe('The check for a bundled package', () => {
  const folder = useTempFolder();
  const input = join(root, 'dist/adapters/compose/require-unbundled.js');

  const linesOf = async (check: () => void): Promise<readonly string[]> => {
    try {
      check();
      return [];
    } catch (error) {
      expect(error).to.have.property('name', ConfigError.name);
      return (error as ConfigError).lines;
    }
  };

  const loadBundled = async (file: string, format: 'es' | 'cjs', plugins: readonly Plugin[] = []) => {
    const bundle = await rolldown({ input, plugins: [...plugins], external: /^node:/ });
    await bundle.write({ file, format });
    const module = await import(pathToFileURL(file).href);
    return (module.requireUnbundled ?? module.default.requireUnbundled) as () => void;
  };

  it('names the bundle, even if the bundler keeps the URL of the source', async () => {
    const keepsAddress: Plugin = {
      name: 'keeps-address',
      transform: (code) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(input).href)),
    };
    const checks = [
      await loadBundled(join(folder(), 'app.mjs'), 'es'),
      await loadBundled(join(folder(), 'app.cjs'), 'cjs'),
      await loadBundled(join(folder(), 'kept.mjs'), 'es', [keepsAddress]),
    ];
    for (const [index, name] of ['app.mjs', 'app.cjs', 'kept.mjs'].entries()) {
      const [line = '', ...moreLines] = await linesOf(checks[index] ?? (() => undefined));
      expect(line)
        .to.include(`bundled into ${join(folder(), name)}, `)
        .and.include('--external:gatehouse');
      expect(moreLines).to.deep.equal([]);
    }
  });

  it("names the setting to change where Yarn's Plug'n'Play keeps packages in archives", async () => {
    Object.defineProperty(process.versions, 'pnp', { value: '3', configurable: true });
    try {
      const [line, ...moreLines] = await linesOf(requireUnbundled);
      expect(line).to.include('nodeLinker: node-modules in .yarnrc.yml');
      expect(moreLines).to.deep.equal([]);
    } finally {
      Reflect.deleteProperty(process.versions, 'pnp');
    }
  });

  it('accepts unbundled code, and code without a stack trace', async () => {
    expect(await linesOf(requireUnbundled)).to.deep.equal([]);
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      expect(await linesOf(requireUnbundled)).to.deep.equal([]);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  });
});
