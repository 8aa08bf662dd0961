import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { testsOf } from './map/endpoint-tests.ts';
import { listEndpoints } from './map/endpoints.ts';
import { DOCUMENT, withMap } from './map/page.ts';
import { listSettings } from './map/settings.ts';
import { recipeFiles, recipes } from './recipes/recipes.ts';
import { root } from './support/tree/root.ts';

/** The most product files that each change may touch. */
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
  it('matches the code, from which `npm run map` generates it', async () => {
    const text = readFileSync(join(root, DOCUMENT), 'utf8');
    expect(text.split('\n'), 'npm run map').to.deep.equal((await withMap(text)).split('\n'));
  });

  it('names the use case and the tests of each endpoint except pages and health', async () => {
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

  it('names the row and the readers of each setting', async () => {
    const settings = await listSettings();
    expect(settings).to.have.length.above(40);
    for (const { name, row, readers } of settings) {
      expect(row, `row of ${name}`).to.match(/^adapters\/config\/settings\//);
      expect(readers, `readers of ${name}`).to.not.be.empty;
      // These have a configuration of their own, made by the files that read `Config`.
      for (const path of readers) expect(path, name).to.not.match(/^servers\/(?:web|pages|client)\//);
    }
  });

  it('has a recipe for each frequent change, within its number of files', () => {
    expect(recipes().map(({ title }) => title)).to.have.members(Object.keys(MOST));
    for (const [title, most] of Object.entries(MOST)) {
      expect(new Set(recipeFiles(title)).size, title).to.be.within(1, most);
    }
  });

  it('names only existing files in its recipes', () => {
    for (const { title, files } of recipes()) {
      for (const file of files) {
        const [known = ''] = file.split('<');
        expect(existsSync(join(root, known)), `${title}: ${file}`).to.equal(true);
      }
    }
  });
});
