import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '../support/tree/root.ts';
import { generatedFiles } from './documents.ts';

describe('What is made from the routes', () => {
  let files: ReadonlyMap<string, string>;
  before(async () => {
    files = await generatedFiles();
  });

  for (const path of [
    'docs/openapi-accounts.json',
    'docs/openapi-metadata.json',
    'servers/client/accounts.generated.ts',
    'servers/client/metadata.generated.ts',
  ]) {
    it(`is as it stands in ${path}; npm run openapi writes it`, () => {
      const file = join(root, path);
      const found = existsSync(file) ? readFileSync(file, 'utf8') : '';
      expect(found === files.get(path), 'up to date').to.equal(true);
      expect(found).to.match(/^(?:\/\/ @generated|\{\n {2}"x-generated")/);
    });
  }
});
