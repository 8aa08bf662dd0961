import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { root } from '../../support/tree/root.ts';

interface Sources {
  listSources(): readonly string[];
  isFresh(sources: readonly string[]): boolean;
}

describe('The build of this tree', () => {
  it('is not made again while no source changes', async () => {
    const module = pathToFileURL(join(root, 'cli/build/sources.mjs')).href;
    const { listSources, isFresh }: Sources = await import(module);
    expect(isFresh(listSources())).to.equal(true);
  });
});
