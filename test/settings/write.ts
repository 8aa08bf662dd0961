/** `npm run settings`: writes the tables of docs/settings.md anew from the rows in adapters/config/settings/. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/tree/root.ts';
import { DOCUMENT, withTables } from './tables.ts';

const path = join(root, DOCUMENT);
writeFileSync(path, withTables(readFileSync(path, 'utf8')));
console.log(`Wrote ${DOCUMENT}`);
