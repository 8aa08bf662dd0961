import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { testsOf } from './map/endpoint-tests.ts';
import { listEndpoints } from './map/endpoints.ts';
import { DOCUMENT, withMap } from './map/page.ts';
import { listSettings } from './map/settings.ts';
import { recipeFiles, recipes } from './recipes/recipes.ts';
import { root } from './support/tree/root.ts';

/** How many files of the product each change may touch. */
const MOST = {
  'A field of the profile': 5,
  'A rate limit bucket': 2,
  'A mail': 4,
  'A mail language': 2,
  'A KMS provider': 3,
  'A verb of the command line': 3,
  'A metric': 2,
  'A setting': 2,
  'A tier': 1,
  'An endpoint': 6,
} as const;

describe('The map', () => {
  it('is what the code says: npm run map writes it anew', async () => {
    const text = readFileSync(join(root, DOCUMENT), 'utf8');
    expect(text.split('\n'), 'npm run map').to.deep.equal((await withMap(text)).split('\n'));
  });

  it('leads from each endpoint to its use case and its tests, but for pages and health', async () => {
    const endpoints = await listEndpoints();
    const tests = testsOf(endpoints);
    expect(endpoints).to.have.length.above(50);
    for (const endpoint of endpoints) {
      const { method, path, route, useCases } = endpoint;
      const isPage = /^servers\/http\/|-pages\.ts$|\/sandbox\.ts$/.test(route);
      expect(useCases.length > 0, `${method} ${path} has a use case`).to.equal(!isPage);
      if (!isPage) expect(tests.get(endpoint), `tests of ${method} ${path}`).to.not.be.empty;
      for (const { file } of useCases) expect(file).to.match(/^core\//);
    }
  });

  it('leads from each setting to its row and to those who read it', async () => {
    const settings = await listSettings();
    expect(settings).to.have.length.above(40);
    for (const { name, row, readers } of settings) {
      expect(row, `row of ${name}`).to.match(/^adapters\/config\/settings\//);
      expect(readers, `readers of ${name}`).to.not.be.empty;
      // They are given a configuration of their own, by the files that read ours.
      for (const path of readers) expect(path, name).to.not.match(/^servers\/(?:web|pages|client)\//);
    }
  });

  it('has a recipe for each of the changes that come most often, in as few files as promised', () => {
    expect(recipes().map(({ title }) => title)).to.have.members(Object.keys(MOST));
    for (const [title, most] of Object.entries(MOST)) {
      expect(new Set(recipeFiles(title)).size, title).to.be.within(1, most);
    }
  });

  it('names files in its recipes that are there', () => {
    for (const { title, files } of recipes()) {
      for (const file of files) {
        const [known = ''] = file.split('<');
        expect(existsSync(join(root, known)), `${title}: ${file}`).to.equal(true);
      }
    }
  });
});
