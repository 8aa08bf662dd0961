import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { root } from '../../support/tree/root.ts';

interface Sources {
  listSources(): readonly string[];
  isFresh(sources: readonly string[]): boolean;
  keepNodeEnv(work: () => Promise<unknown>): Promise<unknown>;
}

const module = pathToFileURL(join(root, 'cli/build/sources.mjs')).href;

describe('The build', () => {
  it('is fresh while no source changes', async () => {
    const { listSources, isFresh }: Sources = await import(module);
    expect(isFresh(listSources())).to.equal(true);
  });

  it('restores NODE_ENV, which Vite sets', async () => {
    const { keepNodeEnv }: Sources = await import(module);
    const { NODE_ENV } = process.env;
    const resolveAsVite = async () => {
      const { resolveConfig } = await import('vite');
      return resolveConfig({ configFile: false }, 'build', 'production');
    };
    try {
      delete process.env.NODE_ENV;
      await keepNodeEnv(resolveAsVite);
      expect(process.env).not.to.have.property('NODE_ENV');
    } finally {
      if (NODE_ENV !== undefined) process.env.NODE_ENV = NODE_ENV;
    }
  });
});
