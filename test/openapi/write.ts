/** `npm run openapi`: writes what is made from the routes, for people and the client. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../support/tree/root.ts';
import { generatedFiles } from './documents.ts';

for (const [path, text] of await generatedFiles()) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  console.log(`Wrote ${path}`);
}
