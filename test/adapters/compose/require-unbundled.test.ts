import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { type Plugin, rolldown } from 'rolldown';
import { requireUnbundled } from '../../../adapters/compose/require-unbundled.ts';
import { ConfigError } from '../../../adapters/config.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

describe('Code of the package in a bundle of an app', () => {
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

  const bundled = async (file: string, format: 'es' | 'cjs', plugins: readonly Plugin[] = []) => {
    const bundle = await rolldown({ input, plugins: [...plugins], external: /^node:/ });
    await bundle.write({ file, format });
    const module = await import(pathToFileURL(file).href);
    return (module.requireUnbundled ?? module.default.requireUnbundled) as () => void;
  };

  it('says which bundle it is, also where the bundler keeps the address of the source', async () => {
    const keepsAddress: Plugin = {
      name: 'keeps-address',
      transform: (code) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(input).href)),
    };
    const matches = [
      await bundled(join(folder(), 'app.mjs'), 'es'),
      await bundled(join(folder(), 'app.cjs'), 'cjs'),
      await bundled(join(folder(), 'kept.mjs'), 'es', [keepsAddress]),
    ];
    for (const [place, name] of ['app.mjs', 'app.cjs', 'kept.mjs'].entries()) {
      const [line = '', ...more] = await linesOf(matches[place] ?? (() => undefined));
      expect(line)
        .to.include(`bundled into ${join(folder(), name)}, `)
        .and.include('--external:gatehouse');
      expect(more).to.deep.equal([]);
    }
  });

  it('is not taken for one in its own place, nor where nothing tells the place', async () => {
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
