/** `npm run map`: generates the tables of the map from the code. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/tree/root.ts';
import { DOCUMENT, withMap } from './page.ts';

const path = join(root, DOCUMENT);
writeFileSync(path, await withMap(existsSync(path) ? readFileSync(path, 'utf8') : ''));
console.log(`Wrote ${DOCUMENT}`);
